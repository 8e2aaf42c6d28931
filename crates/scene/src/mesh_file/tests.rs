#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::read_shape;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::path::PathBuf;

const POINTS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// The volume of a file of the given name and content, and the remarks; or what is said of it.
fn volume(name: &str, bytes: &[u8]) -> std::result::Result<(f64, Vec<String>), String> {
    let path = std::env::temp_dir().join(format!("rattleback-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let read = read_shape(&path);
    std::fs::remove_file(&path).unwrap();
    let plain = |text: String| text.replace(&path.display().to_string(), name);
    let (shape, remarks) = read.map_err(|error| plain(error.to_string()))?;
    Ok((shape.surface().moments().unwrap().volume, remarks.into_iter().map(plain).collect()))
}

fn assert_volume(name: &str, bytes: &[u8], expected: f64) {
    let (found, _) = volume(name, bytes).unwrap();
    assert!((found / expected - 1.0).abs() < 1e-6, "{name}: {found} for {expected}");
}

/// An archive of stored and, where that is asked for, deflated parts.
fn zip(parts: &[(&str, &str)], deflate: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in parts {
        let packed = if deflate {
            miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6)
        } else {
            text.as_bytes().to_vec()
        };
        let at = bytes.len() as u32;
        let method: u16 = if deflate { 8 } else { 0 };
        let mut middle = Vec::new();
        for field in [20u16, 0, method, 0, 0] {
            middle.extend(field.to_le_bytes());
        }
        for field in [zip::checksum(text.as_bytes()), packed.len() as u32, text.len() as u32] {
            middle.extend(field.to_le_bytes());
        }
        middle.extend((name.len() as u16).to_le_bytes());
        middle.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&middle);
        bytes.extend(name.as_bytes());
        bytes.extend(packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(middle);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let at = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        bytes.extend((parts.len() as u16).to_le_bytes());
    }
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// The model of a tetrahedron as object 1, with more objects and what is built.
fn model(head: &str, objects: &str, build: &str) -> String {
    let vertices: String =
        POINTS.iter().map(|[x, y, z]| format!("<vertex x='{x}' y='{y}' z='{z}'/>\n")).collect();
    let triangles: String =
        FACES.iter().map(|[a, b, c]| format!("<triangle v1='{a}' v2='{b}' v3='{c}'/>\n")).collect();
    format!(
        "<?xml version='1.0'?>\n<model xmlns='http://schemas.microsoft.com/3dmanufacturing/core/2015/02' {head}>\n\
         <resources><object id='1'><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>\n\
         {objects}</resources><build>{build}</build></model>"
    )
}

fn three_mf(head: &str, objects: &str, build: &str) -> Vec<u8> {
    zip(&[("3D/3dmodel.model", &model(head, objects, build))], true)
}

const ITEM: &str = "<item objectid='1'/>";

#[test]
fn models_have_their_unit_and_are_placed_as_they_are_built() {
    for (unit, metres) in
        [("", 1e-3), ("unit='inch'", 0.0254), ("unit='meter'", 1.0), ("unit='micron'", 1e-6_f64)]
    {
        assert_volume("a.3mf", &three_mf(unit, "", ITEM), metres.powi(3) / 6.0);
    }
    // Twice as large and elsewhere, and mirrored.
    let placed = "<item objectid='1' transform='2 0 0 0 2 0 0 0 2 9 9 9'/>";
    assert_volume("b.3mf", &three_mf("unit='meter'", "", placed), 8.0 / 6.0);
    let mirrored = format!("{ITEM}<item objectid='1' transform='-1 0 0 0 1 0 0 0 1 -3 0 0'/>");
    let (found, remarks) = volume("c.3mf", &three_mf("unit='meter'", "", &mirrored)).unwrap();
    assert!((found - 1.0 / 3.0).abs() < 1e-15 && remarks.is_empty(), "{found} {remarks:?}");
    // Components in components; a support is left out.
    let objects = "<object id='2'><components><component objectid='1'/>\
                   <component objectid='1' transform='1 0 0 0 1 0 0 0 1 5 0 0'/></components></object>\
                   <object id='3'><components><component objectid='2' transform='1 0 0 0 1 0 0 0 3 0 0 7'/></components></object>\
                   <object id='4' type='support'><components><component objectid='1'/></components></object>";
    let build = "<item objectid='3'/><item objectid='4'/>";
    assert_volume("d.3mf", &three_mf("unit='meter'", objects, build), 1.0);
}

#[test]
fn models_in_other_parts_are_found() {
    let relations = "<Relationships><Relationship Target='/3D/Main.model' Id='r' \
                     Type='http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'/></Relationships>";
    let production = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";
    let main = format!(
        "<model unit='meter' xmlns:p='{production}' requiredextensions='p'><resources><object id='9'><components>\
         <component objectid='1' p:path='/3D/Parts/one.model'/></components></object></resources>\
         <build><item objectid='9'/></build></model>"
    );
    let part = model("unit='meter'", "", "");
    for deflate in [false, true] {
        let parts = [("_rels/.rels", relations), ("3D/Main.model", &main), ("3D/Parts/one.model", &part)];
        assert_volume("parts.3mf", &zip(&parts, deflate), 1.0 / 6.0);
    }
}

#[test]
fn models_that_cannot_be_read_are_refused_with_their_place() {
    let loops = "<object id='2'><components><component objectid='2'/></components></object>";
    // 2³⁰ times nothing.
    let many: String = (2..32)
        .map(|id| {
            let twice = format!("<component objectid='{0}'/><component objectid='{0}'/>", id + 1);
            format!("<object id='{id}'><components>{twice}</components></object>")
        })
        .collect::<String>()
        + "<object id='32'/>";
    for (bytes, said) in [
        (three_mf("", "", ""), "mesh is empty: no item in the model's build"),
        (
            three_mf("", "", "<item objectid='7'/>"),
            "3d/3dmodel.model: object 7 = missing: must be in the model",
        ),
        (three_mf("", loops, "<item objectid='2'/>"), "object 2 = components in components without end"),
        (three_mf("", &many, "<item objectid='2'/>"), "components in components without end"),
        (
            three_mf("unit='league'", "", ITEM),
            "line 2: found \"league\" in 3d/3dmodel.model, expected micron",
        ),
        (three_mf("requiredextensions='b' xmlns:b='http://beam'", "", ITEM), "line 2: found \"http://beam\""),
        (three_mf("", "<object/>", ITEM), "found \"no value\" in 3d/3dmodel.model, expected a number at id"),
        (
            three_mf("", "", "<item objectid='1' transform='1 0 0'/>"),
            "found \"1 0 0\" in 3d/3dmodel.model, expected twelve",
        ),
        (zip(&[("3D/3dmodel.model", "<model>\n<model>")], true), "in 3d/3dmodel.model, expected XML"),
        (zip(&[("readme.txt", "hello")], true), "mesh is empty: an archive without a 3D model"),
    ] {
        let error = volume("wrong.3mf", &bytes).unwrap_err();
        assert!(error.contains(said), "{said}: {error}");
    }
    let mut damaged = three_mf("", "", ITEM);
    damaged[100] ^= 4;
    assert!(volume("damaged.3mf", &damaged).unwrap_err().contains(": byte "));
    // Zeros without end in few bytes.
    let bomb = zip(&[("3D/3dmodel.model", &" ".repeat(10_000_000))], true);
    let error = volume("bomb.3mf", &bomb).unwrap_err();
    assert!(error.contains("that unpacks to 10000000, expected at most 200 times"), "{error}");
    let whole = three_mf("", "", ITEM);
    for length in 0..whole.len() {
        let _ = volume("cut.3mf", &whole[..length]).unwrap_err();
    }
}

fn buffer() -> Vec<u8> {
    let positions = POINTS.iter().flatten().flat_map(|x| x.to_le_bytes());
    positions.chain(FACES.iter().flatten().flat_map(|i| i.to_le_bytes())).collect()
}

/// A tetrahedron under one node; `uri` is none in a binary file.
fn gltf(uri: Option<&str>) -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 7 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 24 },
        ],
        "buffers": [uri.map_or(json!({ "byteLength": 72 }), |uri| json!({ "byteLength": 72, "uri": uri }))],
    })
}

fn embedded() -> Value {
    gltf(Some(&format!("data:application/octet-stream;base64,{}", STANDARD.encode(buffer()))))
}

fn glb(json: &Value) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + buffer().len();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &buffer())] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

#[test]
fn buffers_are_in_the_text_in_the_binary_file_or_beside_it() {
    assert_volume("a.gltf", embedded().to_string().as_bytes(), 1.0 / 6.0);
    assert_volume("a.glb", &glb(&gltf(None)), 1.0 / 6.0);
    let name = format!("rattleback-{} beside.bin", std::process::id());
    let beside: PathBuf = std::env::temp_dir().join(&name);
    std::fs::write(&beside, buffer()).unwrap();
    let uri = name.replace(' ', "%20");
    assert_volume("b.gltf", gltf(Some(&uri)).to_string().as_bytes(), 1.0 / 6.0);
    std::fs::remove_file(&beside).unwrap();
    let error = volume("c.gltf", gltf(Some("none.bin")).to_string().as_bytes()).unwrap_err();
    assert!(
        error.contains("buffers[0] = none.bin: ") && error.ends_with("must be a file beside this one"),
        "{error}"
    );
}

#[test]
fn nodes_place_meshes_strips_and_fans() {
    let mut file = embedded();
    file["nodes"] = json!([
        { "mesh": 0, "children": [1], "translation": [5, 0, 0], "rotation": [0, 0, 1, 0], "scale": [1, 1, -2] },
        { "mesh": 0, "matrix": [3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 9, 0, 1] },
    ]);
    let (found, remarks) = volume("nodes.gltf", file.to_string().as_bytes()).unwrap();
    assert!((found - (2.0 + 6.0) / 6.0).abs() < 1e-7 && remarks.is_empty(), "{found} {remarks:?}");
    // Without a scene every node that no other has is shown.
    file.as_object_mut().unwrap().retain(|key, _| !key.starts_with("scene"));
    assert_volume("no_scene.gltf", file.to_string().as_bytes(), 8.0 / 6.0);
    // A tetrahedron as a strip, and as a fan with the triangle that closes it; both without normals or indices of u16.
    let mut strip = embedded();
    let indices: Vec<u8> = vec![0, 1, 2, 3, 0, 1, 0, 3, 2, 1, 3];
    let mut bytes = buffer()[..48].to_vec();
    bytes.extend(&indices);
    strip["buffers"][0]["uri"] = json!(format!("data:;base64,{}", STANDARD.encode(&bytes)));
    strip["bufferViews"][1] = json!({ "buffer": 0, "byteOffset": 48, "byteLength": 11 });
    strip["accessors"][1] = json!({ "bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR" });
    strip["meshes"][0]["primitives"][0]["mode"] = json!(5);
    strip["meshes"][0]["primitives"].as_array_mut().unwrap().push(json!({ "attributes": {}, "mode": 1 }));
    let (found, remarks) = volume("strip.gltf", strip.to_string().as_bytes()).unwrap();
    assert!((found - 1.0 / 6.0).abs() < 1e-7);
    assert_eq!(remarks[0], "strip.gltf: lines: 1; passed over");
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let set = |pointer: &str, value: Value| {
        let mut file = embedded();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match file.pointer_mut(parent).unwrap() {
            Value::Object(map) => _ = map.insert(key.to_owned(), value),
            other => other[key.parse::<usize>().unwrap()] = value,
        }
        volume("wrong.gltf", file.to_string().as_bytes()).unwrap_err()
    };
    for (pointer, value, said) in [
        ("/asset/version", json!("1.0"), "asset.version = 1.0: must be 2.0"),
        (
            "/extensionsRequired",
            json!(["KHR_draco_mesh_compression"]),
            "extensionsRequired = KHR_draco_mesh_compression",
        ),
        ("/accessors/0/sparse", json!({}), "accessors[0] = a sparse accessor"),
        (
            "/accessors/0/componentType",
            json!(5122),
            "accessors[0] = quantised positions (component type 5122)",
        ),
        ("/accessors/0/count", json!(5), "accessors[0] = 5 elements beyond the end of their buffer view"),
        ("/accessors/0/count", json!(u64::MAX), "elements beyond the end of their buffer view"),
        (
            "/accessors/1/componentType",
            json!(5126),
            "accessors[1] = indices of type SCALAR and component type 5126",
        ),
        ("/accessors/0/bufferView", json!(9), "bufferViews[9] = missing"),
        ("/accessors/0/bufferView", Value::Null, "accessors[0] = without a buffer view"),
        ("/bufferViews/0/byteStride", json!(4), "bufferViews[0].byteStride = 4: must be 12 or more"),
        ("/bufferViews/0/byteLength", json!(73), "bufferViews[0] = beyond the end of its buffer"),
        (
            "/buffers/0/uri",
            json!("https://x/y.bin"),
            "buffers[0] = https://x/y.bin: must be a file beside this one",
        ),
        ("/buffers/0/uri", json!("../y.bin"), "buffers[0] = ../y.bin: must be a file beside this one"),
        ("/buffers/0/uri", json!("data:;base64,?"), "buffers[0] = "),
        ("/nodes/0/children", json!([0]), "nodes[0] = reached twice: must be the child of one node"),
        ("/nodes/0/children", json!([4]), "nodes[4] = missing"),
        ("/nodes/0/rotation", json!([0, 0, 0, 0]), "nodes[0].rotation = zero"),
        ("/scene", json!(3), "scene = 3: must be one of the scenes"),
        ("/meshes/0/primitives/0/mode", json!(7), "meshes[0].primitives[0].mode = 7"),
        ("/meshes", json!(3), "line 1: found invalid type: integer `3`, expected a sequence"),
    ] {
        let error = set(pointer, value);
        assert!(error.starts_with("wrong.gltf: ") && error.contains(said), "{said}: {error}");
    }
    let whole = glb(&gltf(None));
    for length in 0..whole.len() {
        let _ = volume("cut.glb", &whole[..length]).unwrap_err();
    }
}

#[test]
fn the_content_says_the_format_and_a_wrong_ending_is_remarked() {
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for (name, bytes, remark) in [
        ("a.stl", tetrahedron.into(), Some("a.stl: holds OBJ and is read as such")),
        ("a.dat", format!("# no ending\n{tetrahedron}").into_bytes(), None),
        ("b.obj", glb(&gltf(None)), Some("b.obj: holds glTF and is read as such")),
        ("c.off", three_mf("unit='meter'", "", ITEM), Some("c.off: holds 3MF and is read as such")),
    ] {
        let (found, remarks) = volume(name, &bytes).unwrap();
        assert!((found - 1.0 / 6.0).abs() < 1e-7);
        assert_eq!(remarks, remark.map(str::to_owned).into_iter().collect::<Vec<_>>());
    }
    let error = volume("a.dat", b"what is this?").unwrap_err();
    assert!(error.ends_with("neither content nor ending says a known format; expected .toml, .json, .stl, .obj, .ply, .off, .3mf, .gltf, .glb or .dae"), "{error}");
}

/// A COLLADA file of a tetrahedron under the given node, with the lists of its faces.
fn collada(asset: &str, lists: &str, nodes: &str) -> String {
    let points: Vec<String> = POINTS.iter().flatten().map(f32::to_string).collect();
    format!(
        "<?xml version=\"1.0\"?>
        <COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>{asset}</asset>
        <library_geometries><geometry id=\"g\"><mesh>
          <source id=\"p\"><float_array count=\"12\">{}</float_array><technique_common>
            <accessor source=\"#a\" count=\"4\" stride=\"3\"/></technique_common></source>
          <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>{lists}
        </mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id=\"s\">{nodes}</visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        points.join(" ")
    )
}

const TRIANGLES: &str = "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\
    <input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/>\
    <p>0 0 2 0 1 0  0 1 1 1 3 1  1 2 2 2 3 2  0 3 3 3 2 3</p></triangles>";
const PLACED: &str = "<node><instance_geometry url=\"#g\"/></node>";

#[test]
fn collada_is_read_with_its_unit_and_the_maps_of_its_nodes() {
    let z_up = "<unit meter=\"0.01\" name=\"centimeter\"/><up_axis>Z_UP</up_axis>";
    assert_volume("one.dae", collada(z_up, TRIANGLES, PLACED).as_bytes(), 1e-6 / 6.0);
    // Scaled by 2, 3 and 4, turned and moved; mirrored by the node within.
    let nodes = "<node><translate>5 6 7</translate><rotate>0 0 2 90</rotate><scale>2 3 4</scale>\
        <node><matrix>-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1</matrix><instance_geometry url=\"#g\"/></node></node>";
    let (found, remarks) = volume("nodes.dae", collada("", TRIANGLES, nodes).as_bytes()).unwrap();
    assert!((found - 4.0).abs() < 1e-12, "{found}");
    assert_eq!(remarks, ["nodes.dae: its up axis is Y_UP; its axes are taken as they are"]);
    // The content decides, not the ending.
    let (found, remarks) = volume("one.stl", collada(z_up, TRIANGLES, PLACED).as_bytes()).unwrap();
    assert!((found * 6e6 - 1.0).abs() < 1e-9 && remarks == ["one.stl: holds COLLADA and is read as such"]);
}

#[test]
fn collada_has_polygons_strips_and_fans() {
    let input = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
    let lists = [
        format!(
            "<polylist count=\"4\">{input}<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 1 2 3 0 3 2</p></polylist>"
        ),
        format!("<polygons>{input}<p>0 2 1</p><p>0 1 3</p><p>1 2 3</p><p>0 3 2</p></polygons>"),
        // 0 2 1, then 1 2 3 turned; 0 3 2 and 0 1 3 as a fan.
        format!("<tristrips>{input}<p>0 2 1 3</p></tristrips><trifans>{input}<p>3 2 0 1</p></trifans>"),
    ];
    for list in lists {
        assert_volume("lists.dae", collada("", &list, PLACED).as_bytes(), 1.0 / 6.0);
    }
}

#[test]
fn damaged_collada_says_where_it_is_wrong() {
    let cases = [
        (collada("", &TRIANGLES.replace("3 2 3</p>", "3 9 3</p>"), PLACED), "vertex 9"),
        (collada("", &TRIANGLES.replace("3 2 3</p>", "3 2</p>"), PLACED), "a multiple of 2"),
        (collada("", TRIANGLES, "<node><instance_geometry url=\"#h\"/></node>"), "\"#h\""),
        (collada("", TRIANGLES, "<node><skew>1 2 3</skew></node>"), "skew"),
        (collada("", TRIANGLES, "<node id=\"k\"><instance_node url=\"#k\"/></node>"), "without end"),
        (collada("<unit meter=\"0\"/>", TRIANGLES, PLACED), "above zero"),
        (collada("", TRIANGLES, "<node/>"), "no triangle"),
        (collada("", TRIANGLES, PLACED).replace("</mesh>", ""), "XML"),
    ];
    for (text, expected) in cases {
        let found = volume("wrong.dae", text.as_bytes()).unwrap_err();
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
