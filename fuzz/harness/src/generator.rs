//! An input from a seed and a number.

use crate::corpus::{Corpus, LIGHT_FOLDERS, mesh_name};
use crate::input::{Input, Target};
use crate::mutation::{Grammar, Tree, mutate_bytes, mutate_numbers, mutate_tree};
use crate::random::Random;
use std::path::Path;

/// In this order the targets take turns, so that each gets its share of the inputs.
const TURNS: [Target; 12] = [
    Target::Scene,
    Target::Pair,
    Target::Shape,
    Target::Mesh,
    Target::Pair,
    Target::Scene,
    Target::Folder,
    Target::Robot,
    Target::Shape,
    Target::Pair,
    Target::Scene,
    Target::Gait,
];

/// Makes inputs.
#[derive(Debug)]
pub struct Generator {
    corpus: Corpus,
    seed: u64,
    /// The targets that are asked for; all where it is empty.
    targets: Vec<Target>,
    scene: Grammar,
    shape: Grammar,
    scenes: Vec<Tree>,
    /// Those of the scenes that are read and started at once.
    light_scenes: Vec<Tree>,
    shapes: Vec<Tree>,
    light_shapes: Vec<Tree>,
    pairs: Vec<Tree>,
}

/// What takes tens of milliseconds to build: subdivision surfaces, hulls, and the trees of bodies that roll. One input
/// in [`RARELY`] begins from a file that has it.
const HEAVY: [&str; 7] =
    ["\"loop\"", "\"catmull-clark\"", "\"hull\"", "[manoeuvre", "\"rolling\"", "\"fit\"", "\"mesh\""];
const RARELY: usize = 16;

impl Generator {
    /// A generator over the corpus; see [`Corpus::load`] for `templates`.
    pub fn new(seed: u64, targets: &[Target], templates: &Path) -> Result<Self, String> {
        let corpus = Corpus::load(templates)?;
        let trees = |files: &[Vec<u8>], read: fn(&str) -> Option<Tree>, wanted: fn(&str) -> bool| {
            let texts = files.iter().filter_map(|bytes| std::str::from_utf8(bytes).ok());
            texts.filter(|text| wanted(text)).filter_map(read).collect()
        };
        let is_light = |text: &str| !HEAVY.iter().any(|word| text.contains(word));
        let all_scenes = [corpus.scenes.as_slice(), &corpus.broken].concat();
        Ok(Self {
            seed,
            targets: targets.to_vec(),
            scene: Grammar::new(crate::target::FORMAT.scene_schema()),
            shape: Grammar::new(crate::target::FORMAT.shape_schema()),
            scenes: trees(&all_scenes, Tree::from_toml, |_| true),
            light_scenes: trees(&corpus.scenes, Tree::from_toml, is_light),
            shapes: trees(&corpus.shapes, Tree::from_toml, |_| true),
            light_shapes: trees(&corpus.shapes, Tree::from_toml, is_light),
            pairs: trees(&corpus.pairs, Tree::from_json, |_| true),
            corpus,
        })
    }

    /// The corpus.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The input of a number.
    pub fn input(&self, number: u64) -> Input {
        let mut random = Random::new(self.seed, number);
        let turns = if self.targets.is_empty() { &TURNS[..] } else { &self.targets };
        match turns[(number % turns.len() as u64) as usize] {
            Target::Scene => self.scene(&mut random),
            Target::Shape => self.shape(&mut random),
            Target::Pair => self.pair(&mut random),
            Target::Mesh => self.mesh(&mut random),
            Target::Robot => self.robot(&mut random),
            Target::Gait => self.gait(&mut random),
            Target::Folder => self.folder(&mut random),
        }
    }

    fn scene(&self, random: &mut Random) -> Input {
        let text = match random.below(8) {
            0 => return self.bytes(Target::Scene, "scene.toml", &self.corpus.scenes, random),
            1 => self.scene.document(random).toml(),
            _ => changed(choose(&self.scenes, &self.light_scenes, random), &self.scene, random).toml(),
        };
        Input::new(Target::Scene, "scene.toml", text)
    }

    fn shape(&self, random: &mut Random) -> Input {
        let tree = match random.below(8) {
            0 => return self.bytes(Target::Shape, "shape.toml", &self.corpus.shapes, random),
            1..=3 => self.shape.document(random),
            _ => changed(choose(&self.shapes, &self.light_shapes, random), &self.shape, random),
        };
        match random.below(3) {
            0 => Input::new(Target::Shape, "shape.json", tree.json()),
            _ => Input::new(Target::Shape, "shape.toml", tree.toml()),
        }
    }

    fn pair(&self, random: &mut Random) -> Input {
        let tree = match random.below(8) {
            0 => return self.bytes(Target::Pair, "pair.jsonl", &self.corpus.pairs, random),
            1..=3 => changed(&self.pairs, &self.shape, random),
            _ => {
                // Any two shapes, placed by a pair of the corpus.
                let mut tree = random.pick(&self.pairs).clone();
                if let Tree::Table(entries) = &mut tree {
                    for (_, body) in entries.iter_mut().filter(|(key, _)| key != "id") {
                        let shape = if random.once_in(3) {
                            self.shape.document(random)
                        } else {
                            let shapes = choose(&self.shapes, &self.light_shapes, random);
                            random.pick(shapes).clone()
                        };
                        replace(body, "shape", shape);
                    }
                }
                if random.once_in(2) {
                    mutate_tree(&mut tree, &self.shape, &self.pairs, random);
                }
                tree
            }
        };
        Input::new(Target::Pair, "pair.jsonl", tree.json())
    }

    fn mesh(&self, random: &mut Random) -> Input {
        let (name, bytes) = random.pick(&self.corpus.meshes);
        let mut bytes = bytes.clone();
        let others: Vec<&[u8]> = self.corpus.meshes.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        // A mesh with other numbers is still one; with other bytes it hardly ever is.
        if random.once_in(2) {
            mutate_numbers(&mut bytes, random);
        } else {
            mutate_bytes(&mut bytes, &others, random);
        }
        Input::new(Target::Mesh, mesh_name(name), bytes)
    }

    fn robot(&self, random: &mut Random) -> Input {
        let (_, bytes) = random.pick(&self.corpus.robots);
        let mut bytes = bytes.clone();
        let others: Vec<&[u8]> = self.corpus.robots.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        // With other numbers it is still a robot.
        if random.once_in(3) {
            mutate_bytes(&mut bytes, &others, random);
        } else {
            mutate_numbers(&mut bytes, random);
        }
        Input::new(Target::Robot, "robot.xml", bytes)
    }

    fn gait(&self, random: &mut Random) -> Input {
        let (name, bytes) = random.pick(&self.corpus.gait);
        let mut bytes = bytes.clone();
        let others: Vec<&[u8]> = self.corpus.gait.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        if random.once_in(2) {
            mutate_numbers(&mut bytes, random);
        } else {
            mutate_bytes(&mut bytes, &others, random);
        }
        Input::new(Target::Gait, name.as_str(), bytes)
    }

    fn folder(&self, random: &mut Random) -> Input {
        let folders = &self.corpus.folders;
        // The first are those of runs that are taken up at once.
        let template = if random.once_in(RARELY) {
            random.pick(folders)
        } else {
            random.pick(&folders[..LIGHT_FOLDERS])
        };
        let (name, bytes) = random.pick(&template.files);
        let path = format!("{}/{name}", template.name);
        let tree =
            std::str::from_utf8(bytes).ok().filter(|_| name.ends_with(".json")).and_then(Tree::from_json);
        if let (Some(mut tree), false) = (tree, random.once_in(4)) {
            let sealed = !random.once_in(8);
            match tree.get_mut("checkpoint").filter(|_| sealed) {
                Some(inner) => {
                    mutate_tree(inner, &self.scene, &self.pairs, random);
                    tree.seal("checkpoint", "fingerprint");
                }
                None => mutate_tree(&mut tree, &self.scene, &self.pairs, random),
            }
            return Input::new(Target::Folder, path, tree.json());
        }
        let mut bytes = bytes.clone();
        let others: Vec<&[u8]> = template.files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        mutate_bytes(&mut bytes, &others, random);
        Input::new(Target::Folder, path, bytes)
    }

    fn bytes(&self, target: Target, name: &str, files: &[Vec<u8>], random: &mut Random) -> Input {
        let others: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
        let mut bytes = random.pick(&others).to_vec();
        mutate_bytes(&mut bytes, &others, random);
        Input::new(target, name, bytes)
    }
}

/// The light files, as a rule.
fn choose<'t>(all: &'t [Tree], light: &'t [Tree], random: &mut Random) -> &'t [Tree] {
    if random.once_in(RARELY) { all } else { light }
}

/// One of the trees, changed.
fn changed(trees: &[Tree], grammar: &Grammar, random: &mut Random) -> Tree {
    let mut tree = random.pick(trees).clone();
    mutate_tree(&mut tree, grammar, trees, random);
    tree
}

fn replace(body: &mut Tree, name: &str, value: Tree) {
    let Tree::Table(entries) = body else { return };
    if let Some((_, place)) = entries.iter_mut().find(|(key, _)| key == name) {
        *place = value;
    }
}
