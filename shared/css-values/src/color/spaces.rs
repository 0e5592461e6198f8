//! Colour spaces and conversions between them (Color 4, sections 9 to 12 and the sample code of section 17).

/// A colour space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// sRGB from `rgb()`, names and hexadecimal notation: 0 to 255.
    Legacy,
    /// sRGB, 0 to 1.
    Srgb,
    /// sRGB without gamma.
    SrgbLinear,
    /// Display P3.
    DisplayP3,
    /// Display P3 without gamma.
    DisplayP3Linear,
    /// Adobe RGB 1998.
    A98Rgb,
    /// ProPhoto RGB.
    ProphotoRgb,
    /// ITU-R BT.2020.
    Rec2020,
    /// CIE XYZ, D65.
    XyzD65,
    /// CIE XYZ, D50.
    XyzD50,
    /// CIE Lab.
    Lab,
    /// CIE LCH.
    Lch,
    /// Oklab.
    Oklab,
    /// Oklch.
    Oklch,
    /// Hue (degrees), saturation and lightness (0 to 100).
    Hsl,
    /// Hue (degrees), whiteness and blackness (0 to 100).
    Hwb,
}

impl Space {
    /// Returns the space of that name in `color()`, `color-mix()` and gradients.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match &*name.to_ascii_lowercase() {
            "srgb" => Self::Srgb,
            "srgb-linear" => Self::SrgbLinear,
            "display-p3" => Self::DisplayP3,
            "display-p3-linear" => Self::DisplayP3Linear,
            "a98-rgb" => Self::A98Rgb,
            "prophoto-rgb" => Self::ProphotoRgb,
            "rec2020" => Self::Rec2020,
            "xyz" | "xyz-d65" => Self::XyzD65,
            "xyz-d50" => Self::XyzD50,
            "lab" => Self::Lab,
            "lch" => Self::Lch,
            "oklab" => Self::Oklab,
            "oklch" => Self::Oklch,
            "hsl" => Self::Hsl,
            "hwb" => Self::Hwb,
            _ => return None,
        })
    }

    /// Returns true if `color()` accepts it.
    pub(crate) fn is_predefined(self) -> bool {
        !matches!(self, Self::Lab | Self::Lch | Self::Oklab | Self::Oklch | Self::Hsl | Self::Hwb | Self::Legacy)
    }

    /// Returns the index of the hue among the components, for polar spaces.
    pub(crate) fn hue(self) -> Option<usize> {
        match self {
            Self::Hsl | Self::Hwb => Some(0),
            Self::Lch | Self::Oklch => Some(2),
            _ => None,
        }
    }

    /// Returns the start of a serialized colour of this space.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Legacy | Self::Hsl | Self::Hwb | Self::Srgb => "color(srgb ",
            Self::SrgbLinear => "color(srgb-linear ",
            Self::DisplayP3 => "color(display-p3 ",
            Self::DisplayP3Linear => "color(display-p3-linear ",
            Self::A98Rgb => "color(a98-rgb ",
            Self::ProphotoRgb => "color(prophoto-rgb ",
            Self::Rec2020 => "color(rec2020 ",
            Self::XyzD65 => "color(xyz-d65 ",
            Self::XyzD50 => "color(xyz-d50 ",
            Self::Lab => "lab(",
            Self::Lch => "lch(",
            Self::Oklab => "oklab(",
            Self::Oklch => "oklch(",
        }
    }
}

type Triple = [f64; 3];
type Matrix3 = [[f64; 3]; 3];

const SRGB_TO_XYZ: Matrix3 = [
    [0.412_390_799_265_959_5, 0.357_584_339_383_877_96, 0.180_480_788_401_834_3],
    [0.212_639_005_871_510_36, 0.715_168_678_767_755_9, 0.072_192_315_360_733_71],
    [0.019_330_818_715_591_85, 0.119_194_779_794_625_99, 0.950_532_152_249_660_6],
];
const XYZ_TO_SRGB: Matrix3 = [
    [3.240_969_941_904_521_3, -1.537_383_177_570_093_5, -0.498_610_760_293_003_3],
    [-0.969_243_636_280_879_8, 1.875_967_501_507_720_7, 0.041_555_057_407_175_61],
    [0.055_630_079_696_993_61, -0.203_976_958_888_976_57, 1.056_971_514_242_878_6],
];
const P3_TO_XYZ: Matrix3 = [
    [0.486_570_948_648_216_2, 0.265_667_693_169_093_1, 0.198_217_285_234_362_5],
    [0.228_974_564_069_748_8, 0.691_738_521_836_506_4, 0.079_286_914_093_745],
    [0.0, 0.045_113_381_858_902_64, 1.043_944_368_900_976],
];
const XYZ_TO_P3: Matrix3 = [
    [2.493_496_911_941_425, -0.931_383_617_919_123_9, -0.402_710_784_450_716_84],
    [-0.829_488_969_561_574_7, 1.762_664_060_318_346_3, 0.023_624_685_841_943_577],
    [0.035_845_830_243_784_47, -0.076_172_389_268_041_82, 0.956_884_524_007_687_2],
];
const A98_TO_XYZ: Matrix3 = [
    [0.576_669_042_910_131, 0.185_558_237_906_546_3, 0.188_228_646_234_994_7],
    [0.297_344_975_250_535_9, 0.627_363_566_255_466_1, 0.075_291_458_493_998],
    [0.027_031_361_386_412_34, 0.070_688_852_535_827_23, 0.991_337_536_837_639],
];
const XYZ_TO_A98: Matrix3 = [
    [2.041_587_903_810_746_5, -0.565_006_974_278_859_6, -0.344_731_350_778_329_56],
    [-0.969_243_636_280_879_6, 1.875_967_501_507_720_2, 0.041_555_057_407_175_587],
    [0.013_444_280_632_031_142, -0.118_362_392_231_018_38, 1.015_174_994_391_205_4],
];
const PROPHOTO_TO_XYZ50: Matrix3 = [
    [0.797_760_489_672_303, 0.135_185_837_175_742, 0.031_349_349_581_524_806],
    [0.288_071_128_229_293_4, 0.711_843_217_810_101_4, 0.000_085_653_960_605_254],
    [0.0, 0.0, 0.825_104_602_510_461_8],
];
const XYZ50_TO_PROPHOTO: Matrix3 = [
    [1.345_798_973_134_329_7, -0.255_580_101_307_917_3, -0.051_106_286_070_532_4],
    [-0.544_622_458_818_264_7, 1.508_232_741_313_278, 0.020_536_032_391_479_72],
    [0.0, 0.0, 1.211_967_545_639_039_8],
];
const REC2020_TO_XYZ: Matrix3 = [
    [0.636_958_048_301_291, 0.144_616_903_586_208_4, 0.168_880_975_164_172_05],
    [0.262_700_212_011_267, 0.677_998_071_518_871, 0.059_301_716_469_862],
    [0.0, 0.028_072_693_049_087_428, 1.060_985_057_710_791],
];
const XYZ_TO_REC2020: Matrix3 = [
    [1.716_651_187_971_268, -0.355_670_783_776_392, -0.253_366_281_373_66],
    [-0.666_684_351_832_489, 1.616_481_236_634_939, 0.015_768_545_813_911],
    [0.017_639_857_445_310_783, -0.042_770_613_257_809, 0.942_103_121_235_474],
];
const D65_TO_D50: Matrix3 = [
    [1.047_929_792_779_964_5, 0.022_946_870_601_609_652, -0.050_192_266_280_024_65],
    [0.029_627_808_770_056_01, 0.990_434_426_753_884_9, -0.017_073_799_063_418_826],
    [-0.009_243_040_646_204_504, 0.015_055_191_490_298_152, 0.751_874_281_428_137_8],
];
const D50_TO_D65: Matrix3 = [
    [0.955_473_421_488_075, -0.023_098_454_948_764_71, 0.063_259_243_200_570_72],
    [-0.028_369_709_333_863_7, 1.009_995_398_081_304_2, 0.021_041_441_191_917_323],
    [0.012_314_014_864_481_998, -0.020_507_649_298_898_964, 1.330_365_926_242_124],
];
const XYZ_TO_LMS: Matrix3 = [
    [0.819_022_437_996_703, 0.361_906_260_052_890_4, -0.128_873_781_520_987_9],
    [0.032_983_653_932_388_5, 0.929_286_861_586_343_4, 0.036_144_666_350_642_36],
    [0.048_177_189_359_624_2, 0.264_239_531_752_730_8, 0.633_547_828_469_430_9],
];
const LMS_TO_XYZ: Matrix3 = [
    [1.226_879_875_845_924_3, -0.557_814_994_660_217_1, 0.281_391_045_665_964_7],
    [-0.040_575_745_214_800_8, 1.112_286_803_280_317, -0.071_711_058_065_516_4],
    [-0.076_372_936_674_660_1, -0.421_493_332_402_243_2, 1.586_924_019_836_781_6],
];
const LMS_TO_OKLAB: Matrix3 = [
    [0.210_454_268_309_314, 0.793_617_774_702_305_4, -0.004_072_043_011_619_3],
    [1.977_998_532_431_168_4, -2.428_592_242_048_58, 0.450_593_709_617_411],
    [0.025_904_042_465_547_8, 0.782_771_712_457_529_6, -0.808_675_754_923_077_4],
];
const OKLAB_TO_LMS: Matrix3 = [
    [1.0, 0.396_337_777_376_174_9, 0.215_803_757_309_913_6],
    [1.0, -0.105_561_345_815_658_6, -0.063_854_172_825_813_3],
    [1.0, -0.089_484_177_529_811_9, -1.291_485_548_019_409_2],
];
const WHITE_D50: Triple = [0.345_7 / 0.358_5, 1.0, (1.0 - 0.345_7 - 0.358_5) / 0.358_5];

/// Chroma below which the hue is powerless.
const ACHROMATIC: f64 = 4e-6;

fn multiply(matrix: &Matrix3, [x, y, z]: Triple) -> Triple {
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

/// Converts components; missing ones count as zero, and powerless hues in the target become missing.
pub(super) fn convert(components: Triple, from: Space, to: Space) -> Triple {
    if from == to {
        return components;
    }
    let plain = components.map(|c| if c.is_nan() { 0.0 } else { c });
    match (from, to) {
        (Space::Legacy, Space::Srgb) => return plain.map(|c| c / 255.0),
        (Space::Srgb, Space::Legacy) => return plain.map(|c| c * 255.0),
        (Space::Lab, Space::Lch) | (Space::Oklab, Space::Oklch) => return to_polar(plain),
        (Space::Lch, Space::Lab) | (Space::Oklch, Space::Oklab) => return from_polar(plain),
        _ => {}
    }
    if let (Some(rgb), Space::Legacy | Space::Srgb | Space::Hsl | Space::Hwb) = (srgb_of(plain, from), to) {
        return from_srgb(rgb, to);
    }
    from_xyz(to_xyz(plain, from), to)
}

/// Returns the sRGB values in spaces that are another notation of sRGB.
fn srgb_of(components: Triple, space: Space) -> Option<Triple> {
    match space {
        Space::Legacy => Some(components.map(|c| c / 255.0)),
        Space::Srgb => Some(components),
        Space::Hsl => Some(hsl_to_srgb(components)),
        Space::Hwb => Some(hwb_to_srgb(components)),
        _ => None,
    }
}

fn from_srgb(rgb: Triple, to: Space) -> Triple {
    match to {
        Space::Legacy => rgb.map(|c| c * 255.0),
        Space::Hsl => srgb_to_hsl(rgb),
        Space::Hwb => srgb_to_hwb(rgb),
        _ => rgb,
    }
}

fn to_xyz(c: Triple, space: Space) -> Triple {
    match space {
        Space::Legacy | Space::Srgb | Space::Hsl | Space::Hwb => {
            multiply(&SRGB_TO_XYZ, srgb_of(c, space).unwrap_or(c).map(srgb_to_linear))
        }
        Space::SrgbLinear => multiply(&SRGB_TO_XYZ, c),
        Space::DisplayP3 => multiply(&P3_TO_XYZ, c.map(srgb_to_linear)),
        Space::DisplayP3Linear => multiply(&P3_TO_XYZ, c),
        Space::A98Rgb => multiply(&A98_TO_XYZ, c.map(|v| v.abs().powf(563.0 / 256.0).copysign(v))),
        Space::ProphotoRgb => multiply(&D50_TO_D65, multiply(&PROPHOTO_TO_XYZ50, c.map(prophoto_to_linear))),
        Space::Rec2020 => multiply(&REC2020_TO_XYZ, c.map(rec2020_to_linear)),
        Space::XyzD65 => c,
        Space::XyzD50 => multiply(&D50_TO_D65, c),
        Space::Lab => multiply(&D50_TO_D65, lab_to_xyz50(c)),
        Space::Lch => multiply(&D50_TO_D65, lab_to_xyz50(from_polar(c))),
        Space::Oklab => oklab_to_xyz(c),
        Space::Oklch => oklab_to_xyz(from_polar(c)),
    }
}

fn from_xyz(xyz: Triple, space: Space) -> Triple {
    match space {
        Space::Legacy | Space::Srgb | Space::Hsl | Space::Hwb => {
            from_srgb(multiply(&XYZ_TO_SRGB, xyz).map(linear_to_srgb), space)
        }
        Space::SrgbLinear => multiply(&XYZ_TO_SRGB, xyz),
        Space::DisplayP3 => multiply(&XYZ_TO_P3, xyz).map(linear_to_srgb),
        Space::DisplayP3Linear => multiply(&XYZ_TO_P3, xyz),
        Space::A98Rgb => multiply(&XYZ_TO_A98, xyz).map(|v| v.abs().powf(256.0 / 563.0).copysign(v)),
        Space::ProphotoRgb => multiply(&XYZ50_TO_PROPHOTO, multiply(&D65_TO_D50, xyz)).map(linear_to_prophoto),
        Space::Rec2020 => multiply(&XYZ_TO_REC2020, xyz).map(linear_to_rec2020),
        Space::XyzD65 => xyz,
        Space::XyzD50 => multiply(&D65_TO_D50, xyz),
        Space::Lab => xyz50_to_lab(multiply(&D65_TO_D50, xyz)),
        Space::Lch => to_polar(xyz50_to_lab(multiply(&D65_TO_D50, xyz))),
        Space::Oklab => xyz_to_oklab(xyz),
        Space::Oklch => to_polar(xyz_to_oklab(xyz)),
    }
}

fn srgb_to_linear(v: f64) -> f64 {
    let a = v.abs();
    if a <= 0.040_45 { v / 12.92 } else { ((a + 0.055) / 1.055).powf(2.4).copysign(v) }
}

fn linear_to_srgb(v: f64) -> f64 {
    let a = v.abs();
    if a <= 0.003_130_8 { v * 12.92 } else { (1.055 * a.powf(1.0 / 2.4) - 0.055).copysign(v) }
}

fn prophoto_to_linear(v: f64) -> f64 {
    let a = v.abs();
    if a <= 16.0 / 512.0 { v / 16.0 } else { a.powf(1.8).copysign(v) }
}

fn linear_to_prophoto(v: f64) -> f64 {
    let a = v.abs();
    if a >= 1.0 / 512.0 { a.powf(1.0 / 1.8).copysign(v) } else { v * 16.0 }
}

const REC2020_ALPHA: f64 = 1.099_296_826_809_44;
const REC2020_BETA: f64 = 0.018_053_968_510_807;

fn rec2020_to_linear(v: f64) -> f64 {
    let a = v.abs();
    if a < REC2020_BETA * 4.5 {
        v / 4.5
    } else {
        ((a + REC2020_ALPHA - 1.0) / REC2020_ALPHA).powf(1.0 / 0.45).copysign(v)
    }
}

fn linear_to_rec2020(v: f64) -> f64 {
    let a = v.abs();
    if a > REC2020_BETA { (REC2020_ALPHA * a.powf(0.45) - (REC2020_ALPHA - 1.0)).copysign(v) } else { v * 4.5 }
}

fn oklab_to_xyz(lab: Triple) -> Triple {
    multiply(&LMS_TO_XYZ, multiply(&OKLAB_TO_LMS, lab).map(|v| v * v * v))
}

fn xyz_to_oklab(xyz: Triple) -> Triple {
    multiply(&LMS_TO_OKLAB, multiply(&XYZ_TO_LMS, xyz).map(f64::cbrt))
}

const LAB_EPSILON: f64 = 216.0 / 24_389.0;
const LAB_KAPPA: f64 = 24_389.0 / 27.0;

fn lab_to_xyz50([l, a, b]: Triple) -> Triple {
    let fy = (l + 16.0) / 116.0;
    let (fx, fz) = (a / 500.0 + fy, fy - b / 200.0);
    let cube = |f: f64| if f.powi(3) > LAB_EPSILON { f.powi(3) } else { (116.0 * f - 16.0) / LAB_KAPPA };
    let y = if l > LAB_KAPPA * LAB_EPSILON { fy.powi(3) } else { l / LAB_KAPPA };
    [cube(fx) * WHITE_D50[0], y * WHITE_D50[1], cube(fz) * WHITE_D50[2]]
}

fn xyz50_to_lab([x, y, z]: Triple) -> Triple {
    let f = |v: f64| if v > LAB_EPSILON { v.cbrt() } else { (LAB_KAPPA * v + 16.0) / 116.0 };
    let (fx, fy, fz) = (f(x / WHITE_D50[0]), f(y / WHITE_D50[1]), f(z / WHITE_D50[2]));
    [116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)]
}

fn to_polar([l, a, b]: Triple) -> Triple {
    let chroma = a.hypot(b);
    // Lab's components are a hundred times those of Oklab; one threshold serves both well enough.
    let hue = if chroma <= ACHROMATIC { f64::NAN } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    [l, chroma, hue]
}

fn from_polar([l, chroma, hue]: Triple) -> Triple {
    let radians = hue.to_radians();
    [l, chroma * radians.cos(), chroma * radians.sin()]
}

fn hsl_to_srgb([hue, saturation, lightness]: Triple) -> Triple {
    let hue = hue.rem_euclid(360.0);
    let (s, l) = (saturation / 100.0, lightness / 100.0);
    let a = s * l.min(1.0 - l);
    let channel = |n: f64| {
        let k = (n + hue / 30.0) % 12.0;
        l - a * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    };
    [channel(0.0), channel(8.0), channel(4.0)]
}

fn hwb_to_srgb([hue, whiteness, blackness]: Triple) -> Triple {
    let (white, black) = (whiteness / 100.0, blackness / 100.0);
    if white + black >= 1.0 {
        return [white / (white + black); 3];
    }
    hsl_to_srgb([hue, 100.0, 50.0]).map(|c| c * (1.0 - white - black) + white)
}

fn hue_of([r, g, b]: Triple, max: f64, delta: f64) -> f64 {
    let sixth = if max == r {
        (g - b) / delta + if g < b { 6.0 } else { 0.0 }
    } else if max == g {
        (b - r) / delta + 2.0
    } else {
        (r - g) / delta + 4.0
    };
    sixth * 60.0
}

fn srgb_to_hsl(rgb: Triple) -> Triple {
    let (max, min) = (rgb[0].max(rgb[1]).max(rgb[2]), rgb[0].min(rgb[1]).min(rgb[2]));
    let (lightness, delta) = (f64::midpoint(max, min), max - min);
    if delta.abs() < 1e-9 {
        return [f64::NAN, 0.0, lightness * 100.0];
    }
    let saturation =
        if lightness == 0.0 || lightness == 1.0 { 0.0 } else { (max - lightness) / lightness.min(1.0 - lightness) };
    let mut hue = hue_of(rgb, max, delta);
    let mut saturation = saturation * 100.0;
    if saturation < 0.0 {
        hue += 180.0;
        saturation = saturation.abs();
    }
    [hue.rem_euclid(360.0), saturation, lightness * 100.0]
}

fn srgb_to_hwb(rgb: Triple) -> Triple {
    let (max, min) = (rgb[0].max(rgb[1]).max(rgb[2]), rgb[0].min(rgb[1]).min(rgb[2]));
    let delta = max - min;
    let hue = if delta.abs() < 1e-9 { f64::NAN } else { hue_of(rgb, max, delta).rem_euclid(360.0) };
    [hue, min * 100.0, (1.0 - max) * 100.0]
}
