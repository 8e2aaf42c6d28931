//! Names of markers and the landmarks that they mean.

use super::Landmark::{self, self as L};

/// The word for each landmark in files of names, whether it has sides, and names of markers for it: those of this
/// project's trial (Stanford), Plug-in Gait, Helen Hayes, CAST (Leardini's and Cappozzo's), OpenSim's models.
pub(super) const TABLE: &[(Landmark, &str, bool, &str)] = &[
    (L::Asis, "asis", true, "asis asi ias asisant frontpelvis"),
    (L::Psis, "psis", true, "psis psi ips backpelvis"),
    (L::Sacrum, "sacrum", false, "sacral vsacral vsac sacr sacrum sac s1 sacralmid"),
    (L::Trochanter, "trochanter", true, "trochanter troc ftc gtr gtroch hip"),
    (L::KneeLateral, "knee_lateral", true, "kneelat latknee knee kne fle kneelateral kneel lfc lepi"),
    (
        L::KneeMedial,
        "knee_medial",
        true,
        "kneemed medknee fme kneemedial knm mknee \
         kneem mkne mfc knemed medkne",
    ),
    (
        L::AnkleLateral,
        "ankle_lateral",
        true,
        "anklelat latankle ankle ank fal \
         latmal anklelateral lmal malleoluslat",
    ),
    (
        L::AnkleMedial,
        "ankle_medial",
        true,
        "anklemed medankle tam medmal anklemedial mmal \
         ankm anklem ankmed mank medank",
    ),
    (L::Heel, "heel", true, "heel hee fcc calc calcaneus calcn heelcalc cal1"),
    (L::ToeTip, "toe_tip", true, "toetip hallux hal bigtoe hlx toeend"),
    (
        L::MetatarsalFirst,
        "metatarsal_first",
        true,
        "toemed fm1 mt1 toe1 1meta fmh mth1 1mt \
         d1m met1 1mth mtp1 mt1head firstmet toeinside",
    ),
    (
        L::MetatarsalSecond,
        "metatarsal_second",
        true,
        "toe fm2 mt2 toe2 smh 2meta mth2 \
         2mt d2m met2 2mth mtp2",
    ),
    (
        L::MetatarsalFifth,
        "metatarsal_fifth",
        true,
        "toelat fm5 mt5 toe5 vmh 5meta mth5 5mt \
         d5m met5 5mth mtp5 mt5head smalltoe toeoutside",
    ),
    (
        L::MidfootSuperior,
        "midfoot_superior",
        true,
        "midfootsup nav navicular midfoot \
         midfootsuperior instep",
    ),
    (L::MidfootLateral, "midfoot_lateral", true, "midfootlat p5m mt5base 5mtb cuboid midfootlateral"),
    (
        L::Thigh,
        "thigh",
        true,
        "thigh thi thighupper thighfront thighrear thighlat thighsuperior thighinferior thighlateral th1 th2 \
         th3 th4 thigh1 thigh2 thigh3 thigh4 thiap thiad thighwand tth",
    ),
    (
        L::Shank,
        "shank",
        true,
        "shank tib tibia shankupper shankfront shankrear sk1 sk2 sk3 sk4 sh1 sh2 sh3 \
         sh4 shank1 shank2 shank3 shank4 ttc fax tibap tibad shankwand tibialsuperior shanklateral",
    ),
    (L::Clavicle, "clavicle", false, "clav clavicle ij sjn jn suprasternal"),
    (L::Sternum, "sternum", false, "sternum strn ster stern xiph px sxs xiphoid"),
    (L::C7, "c7", false, "c7 cv7 neck"),
    (L::T10, "t10", false, "t10 tv10 th10 t8 tv8"),
    (L::Shoulder, "shoulder", true, "shoulder sho acromium acromion acr acro shld"),
    (L::UpperArm, "upper_arm", true, "bicep biceps upa upperarm uparm triceps humerus uarm arm"),
    (L::ElbowLateral, "elbow_lateral", true, "elbow elb elblat elbowlat hle latelbow elbowlateral elbl"),
    (L::ElbowMedial, "elbow_medial", true, "elbowmed elbmed hme medelbow melb elbm elbowmedial"),
    (L::Forearm, "forearm", true, "forearm frm farm fra forearmlat"),
    (
        L::WristRadial,
        "wrist_radial",
        true,
        "wristlat wra rsp wrist wri wristrad \
         radius wrr wristradial wristout",
    ),
    (L::WristUlnar, "wrist_ulnar", true, "wristmed wrb usp wristuln ulna wru wristulnar wristin"),
    (L::Hand, "hand", true, "hand fin finger hm2 hm5 hmc hl5"),
    (L::HeadFront, "head_front", true, "fhd headfront temple fronthead headlat ear head"),
    (L::HeadBack, "head_back", true, "bhd headback backhead rearhead headrear"),
    (
        L::HeadTop,
        "head_top",
        false,
        "tophead headtop vertex head hdtop top \
         sellion fronthead headfront backhead headback",
    ),
];
