use super::samples::{Random, octant, random_patch, torus};
use rattleback_geom::Vec3;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::patch::{BezierPatch, Edge, NurbsSurface, PatchNet, rates};
use rattleback_geom::surface::ParametricJet;

/// The patch with v ↔ u, or with u → 1 − u.
fn reparametrised(patch: &BezierPatch, swap: bool, flip: bool) -> BezierPatch {
    let [p, q] = patch.degree();
    let [m, n] = if swap { [q, p] } else { [p, q] };
    let at = |i: usize, j: usize| {
        let i = if flip { m - i } else { i };
        if swap { j * (q + 1) + i } else { i * (q + 1) + j }
    };
    let order: Vec<usize> =
        (0..=m).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect();
    let control = order.iter().map(|&k| patch.control()[k]).collect();
    let weights = order.iter().map(|&k| patch.weights().unwrap()[k]).collect();
    BezierPatch::rational([m, n], control, weights).unwrap()
}

/// A patch that continues `patch` beyond u = 1 with the same tangents: its edge u = 0 is that edge, its rows of
/// homogeneous points (wP, w) go on in the opposite direction of the rows there, a quarter as far.
fn continuation(patch: &BezierPatch) -> BezierPatch {
    let [p, q] = patch.degree();
    let (mut control, mut weights) = (Vec::new(), Vec::new());
    for i in 0..=p {
        for j in 0..=q {
            let [border, back] = [p * (q + 1) + j, (p - i) * (q + 1) + j];
            let (w, v) = (patch.weights().unwrap()[border], patch.weights().unwrap()[back]);
            let (x, y) = (patch.control()[border], patch.control()[back]);
            let weight = w * 1.25 - v * 0.25;
            control.push(if i == 0 { x } else { (x * (w * 1.25) - y * (v * 0.25)) / weight });
            weights.push(if i == 0 { w } else { weight });
        }
    }
    BezierPatch::rational([p, q], control, weights).unwrap()
}

#[test]
fn neighbours_are_found_in_every_arrangement_and_places_map_to_the_same_point() {
    let a = random_patch([3, 3], true, &mut Random(31));
    let b = continuation(&a);
    let mut met = Vec::new();
    for arrangement in 0..256 {
        let bit = |k: usize| arrangement >> k & 1 == 1;
        // Flip, swap, flip, swap: all eight ways to turn a square.
        let turned = |x: &BezierPatch, k: usize| {
            let half = reparametrised(&reparametrised(x, false, bit(k)), bit(k + 1), bit(k + 2));
            reparametrised(&half, bit(k + 3), false)
        };
        let net = PatchNet::new(vec![turned(&a, 0), turned(&b, 4)]).unwrap();
        let joined: Vec<Edge> = Edge::ALL.into_iter().filter(|&e| net.neighbour(0, e).is_some()).collect();
        assert_eq!(joined.len(), 1, "{arrangement}");
        let there = net.neighbour(0, joined[0]).unwrap();
        met.push((joined[0], there.edge, there.reversed));
        for s in [0.0, 0.3, 1.0] {
            let [u, v] = joined[0].at(s);
            let here = net.jet(&Place { chart: 0, u, v }).unwrap();
            let place = net.across(0, joined[0], s).unwrap();
            let jet = net.jet(&place).unwrap();
            assert!((here.p - jet.p).norm() < 4e-15);
            assert!(
                here.normal().cross(&jet.normal()).norm()
                    < 1e-12 * here.normal().norm() * jet.normal().norm()
            );
            assert_eq!(net.is_oriented(), here.normal().dot(&jet.normal()) > 0.0);
        }
    }
    for a in Edge::ALL {
        for b in Edge::ALL {
            assert!([true, false].iter().all(|&r| met.contains(&(a, b, r))), "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_motion_goes_on_across_the_border_with_the_same_velocity() {
    let a = random_patch([3, 3], true, &mut Random(32));
    let net = PatchNet::new(vec![a.clone(), reparametrised(&continuation(&a), true, true)]).unwrap();
    let here = net.jet(&Place { chart: 0, u: 1.0, v: 0.4 }).unwrap();
    let there = net.jet(&net.across(0, Edge::U1, 0.4).unwrap()).unwrap();
    let velocity = here.du * 0.7 - here.dv * 0.2;
    let r = rates(&here, &velocity).unwrap();
    assert!((r.x - 0.7).abs() < 1e-13 && (r.y + 0.2).abs() < 1e-13);
    let r = rates(&there, &velocity).unwrap();
    assert!((there.du * r.x + there.dv * r.y - velocity).norm() < 1e-12 * velocity.norm());
    let pole = ParametricJet { du: Vec3::zeros(), ..here };
    assert_eq!(rates(&pole, &velocity), None);
}

#[test]
fn a_torus_of_sixteen_patches_is_closed_and_smooth_across_every_edge() {
    let net = PatchNet::new(torus(1.3, 0.4).patches().to_vec()).unwrap();
    assert!(net.is_closed() && net.is_oriented());
    for patch in 0..16 {
        for edge in Edge::ALL {
            let there = net.neighbour(patch, edge).unwrap();
            let back = net.neighbour(there.patch, there.edge).unwrap();
            assert_eq!((back.patch, back.edge, back.reversed), (patch, edge, there.reversed));
            for s in [0.0, 0.25, 0.6, 1.0] {
                let [u, v] = edge.at(s);
                let a = net.jet(&Place { chart: patch, u, v }).unwrap();
                let b = net.jet(&net.across(patch, edge, s).unwrap()).unwrap();
                assert!((a.p - b.p).norm() < 1e-15);
                assert!((a.normal().normalize() - b.normal().normalize()).norm() < 1e-14);
                let (k, l) = (a.curvature().kappa, b.curvature().kappa);
                assert!((k[0] - l[0]).abs() + (k[1] - l[1]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn patches_of_one_nurbs_surface_share_all_edges_but_the_border() {
    let mut random = Random(36);
    let knots = [
        vec![0.0, 0.0, 0.0, 0.0, 0.1, 0.37, 0.37, 0.9, 1.0, 1.0, 1.0, 1.0],
        vec![-0.3, 0.0, 0.2, 0.7, 1.1, 1.3, 1.9],
    ];
    let control: Vec<Vec3> =
        (0..32).map(|k| Vec3::new(f64::from(k / 4), f64::from(k % 4), 0.0) + random.point() * 0.3).collect();
    let weights: Vec<f64> = (0..32).map(|_| random.within(0.5, 2.0)).collect();
    let surface = NurbsSurface::new([3, 2], knots, &control, Some(&weights)).unwrap();
    let net = PatchNet::new(surface.patches().to_vec()).unwrap();
    assert!(net.is_oriented() && !net.is_closed());
    let (m, n) = (4, 2);
    for k in 0..m * n {
        let joined = Edge::ALL.map(|e| net.neighbour(k, e).map(|there| there.patch));
        let beside = |inside: bool, patch: usize| inside.then_some(patch);
        let (i, j) = (k / n, k % n);
        let expected = [
            beside(i > 0, k.wrapping_sub(n)),
            beside(i + 1 < m, k + n),
            beside(j > 0, k.wrapping_sub(1)),
            beside(j + 1 < n, k + 1),
        ];
        assert_eq!(joined, expected, "{k}");
    }
}

#[test]
fn a_sphere_of_octants_is_closed_but_for_its_poles() {
    let octants = [false, true].into_iter().flat_map(|below| (0..4).map(move |k| octant(2.0, k, below)));
    let net = PatchNet::new(octants.collect()).unwrap();
    assert!(net.is_closed() && net.is_oriented());
    for k in 0..8 {
        let pole = if k < 4 { Edge::V1 } else { Edge::V0 };
        assert_eq!(Edge::ALL.map(|e| net.neighbour(k, e).is_none()), Edge::ALL.map(|e| e == pole));
    }
    let open = PatchNet::new((0..4).map(|k| octant(2.0, k, false)).collect()).unwrap();
    assert!(
        !open.is_closed() && open.across(0, Edge::V0, 0.5).is_none() && open.neighbour(4, Edge::U0).is_none()
    );
}

#[test]
fn three_patches_at_one_edge_are_refused_by_name() {
    let a = random_patch([3, 3], true, &mut Random(33));
    let b = continuation(&a);
    let mut control = b.control().to_vec();
    control[4..].iter_mut().for_each(|p| p.z += 1.0);
    let c = BezierPatch::rational([3, 3], control, b.weights().unwrap().to_vec()).unwrap();
    let text = PatchNet::new(vec![a, b, c]).unwrap_err().to_string();
    assert!(
        text.starts_with("patches[") && text.ends_with("must be joined to one other edge at most"),
        "{text}"
    );
}

#[test]
fn edges_apart_by_less_than_the_tolerance_are_joined_and_bad_tolerances_refused() {
    let a = random_patch([3, 3], true, &mut Random(34));
    let b = continuation(&a);
    let shifted = b.control().iter().map(|p| p + Vec3::repeat(1e-9)).collect();
    let b = BezierPatch::rational([3, 3], shifted, b.weights().unwrap().to_vec()).unwrap();
    let joined = |tolerance| {
        PatchNet::with_tolerance(vec![a.clone(), b.clone()], tolerance)
            .unwrap()
            .neighbour(0, Edge::U1)
            .is_some()
    };
    assert!(!joined(0.0) && !joined(1e-9) && joined(2e-9));
    for tolerance in [f64::NAN, -1.0] {
        let text = PatchNet::with_tolerance(vec![a.clone()], tolerance).unwrap_err().to_string();
        assert_eq!(text, format!("tolerance = {tolerance}: must be a finite length of zero or more"));
    }
}

#[test]
fn weights_are_compared_up_to_a_common_factor_and_no_further() {
    let a = random_patch([3, 3], true, &mut Random(35));
    let b = continuation(&a);
    let with = |weights: Vec<f64>| {
        let b = BezierPatch::rational([3, 3], b.control().to_vec(), weights).unwrap();
        PatchNet::new(vec![a.clone(), b]).unwrap().neighbour(0, Edge::U1).is_some()
    };
    let mut weights: Vec<f64> = b.weights().unwrap().iter().map(|w| w * 3.7).collect();
    assert!(with(weights.clone()));
    weights[1] *= 1.0 + 1e-12;
    assert!(!with(weights));
}
