//! What most programs need: `use rattleback::prelude::*;`.
//!
//! | for | names |
//! |---|---|
//! | shapes and their places | `Pose`, `Vec3`, `Mat3`, every surface, `Surface`, `Shape` |
//! | queries | `Collider`, `contact`, `contacts`, `collide`, `derivatives`, `Kinematics`, `Twist` |
//! | laws | the module `law`, `ContactLaw`, `Material` |
//! | models | `Model`, `BodyModel`, `BodyId`, `Body`, `Motion`, `State` |
//! | runs | `Scheme`, `Run`, `Frame`, `Energy`, `Accuracy`, `Method`, `DynamicsError` |

pub use crate::collide::{
    Collider, Contact, Kinematics, Touch, Twist, collide, contact, contacts, derivatives,
};
pub use crate::dynamics::{
    Accuracy, Body, BodyId, BodyModel, DynamicsError, Energy, Frame, Method, Model, Motion, Run, Scheme,
    State,
};
pub use crate::geom::surface::{
    Capsule, Cavity, ConvexHull, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, Plane, PotentialBody,
    Quadric, Shape, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
pub use crate::geom::{Mat3, Pose, TriMesh, Vec3};
pub use crate::law::{self, ContactLaw};
pub use crate::material::Material;
