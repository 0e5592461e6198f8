//! Computes `transform` as a matrix (Transforms 1 and 2).

use super::component_values::is_keyword;
use super::compute_context::ComputeContext;
use super::list_values::degrees;
use crate::value::component::{Component, split_commas};
use crate::value::math::Kind;
use crate::value::number::format_number;

/// Columns of a 4 × 4 matrix.
type Matrix4 = [[f64; 4]; 4];

const IDENTITY: Matrix4 = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the matrix; `None` if percentages make it depend on the box.
pub(super) fn transform(value: &[Component], context: &ComputeContext<'_>) -> Option<String> {
    if is_keyword(value, "none") {
        return Some("none".into());
    }
    let mut matrix = IDENTITY;
    for component in value {
        let (name, arguments) = component.as_function()?;
        let parts = split_commas(arguments);
        let single: Vec<&Component> = parts.iter().map(|part| part.first()).collect::<Option<_>>()?;
        matrix = multiply(&matrix, &function(name, &single, context)?);
    }
    Some(matrix_text(&matrix))
}

fn matrix_text(m: &Matrix4) -> String {
    let flat = m[0][2] == 0.0
        && m[0][3] == 0.0
        && m[1][2] == 0.0
        && m[1][3] == 0.0
        && m[2] == IDENTITY[2]
        && m[3][2] == 0.0
        && m[3][3] == 1.0;
    let join = |numbers: Vec<f64>| {
        // Rounding errors of the sines would print as tiny numbers.
        let tidy = numbers.into_iter().map(|n| format_number(if n.abs() < 1e-10 { 0.0 } else { n }));
        tidy.collect::<Vec<_>>().join(", ")
    };
    if flat {
        return format!("matrix({})", join(vec![m[0][0], m[0][1], m[1][0], m[1][1], m[3][0], m[3][1]]));
    }
    format!("matrix3d({})", join(m.iter().flatten().copied().collect()))
}

fn multiply(a: &Matrix4, b: &Matrix4) -> Matrix4 {
    let mut product = [[0.0; 4]; 4];
    for (column, out) in product.iter_mut().enumerate() {
        for (row, cell) in out.iter_mut().enumerate() {
            *cell = (0..4).map(|k| a[k][row] * b[column][k]).sum();
        }
    }
    product
}

fn function(name: &str, arguments: &[&Component], context: &ComputeContext<'_>) -> Option<Matrix4> {
    let px = |at: usize| arguments.get(at).map_or(Some(0.0), |component| context.px(component));
    let number = |at: usize| {
        let found = context.quantity(arguments.get(at)?)?;
        match found.kind {
            Kind::Number => Some(found.value),
            Kind::Percentage => Some(found.percent / 100.0),
            _ => None,
        }
    };
    let angle =
        |at: usize| arguments.get(at).map_or(Some(0.0), |component| degrees(component, context)).map(f64::to_radians);
    Some(match name {
        "translate" => translation(px(0)?, px(1)?, 0.0),
        "translatex" => translation(px(0)?, 0.0, 0.0),
        "translatey" => translation(0.0, px(0)?, 0.0),
        "translatez" => translation(0.0, 0.0, px(0)?),
        "translate3d" => translation(px(0)?, px(1)?, px(2)?),
        "scale" => scale(number(0)?, if arguments.len() > 1 { number(1)? } else { number(0)? }, 1.0),
        "scalex" => scale(number(0)?, 1.0, 1.0),
        "scaley" => scale(1.0, number(0)?, 1.0),
        "scalez" => scale(1.0, 1.0, number(0)?),
        "scale3d" => scale(number(0)?, number(1)?, number(2)?),
        "rotate" | "rotatez" => rotation(0.0, 0.0, 1.0, angle(0)?),
        "rotatex" => rotation(1.0, 0.0, 0.0, angle(0)?),
        "rotatey" => rotation(0.0, 1.0, 0.0, angle(0)?),
        "rotate3d" => rotation(number(0)?, number(1)?, number(2)?, angle(3)?),
        "skew" => skew(angle(0)?, angle(1)?),
        "skewx" => skew(angle(0)?, 0.0),
        "skewy" => skew(0.0, angle(0)?),
        "matrix" => {
            let mut m = IDENTITY;
            [m[0][0], m[0][1], m[1][0], m[1][1], m[3][0], m[3][1]] =
                [number(0)?, number(1)?, number(2)?, number(3)?, number(4)?, number(5)?];
            m
        }
        "matrix3d" => {
            let mut m = IDENTITY;
            for (index, cell) in m.iter_mut().flatten().enumerate() {
                *cell = number(index)?;
            }
            m
        }
        "perspective" => {
            let mut m = IDENTITY;
            if !arguments.first()?.is_ident("none") {
                m[2][3] = -1.0 / px(0)?.max(1.0);
            }
            m
        }
        _ => return None,
    })
}

fn translation(x: f64, y: f64, z: f64) -> Matrix4 {
    let mut m = IDENTITY;
    [m[3][0], m[3][1], m[3][2]] = [x, y, z];
    m
}

fn scale(x: f64, y: f64, z: f64) -> Matrix4 {
    let mut m = IDENTITY;
    [m[0][0], m[1][1], m[2][2]] = [x, y, z];
    m
}

fn skew(x: f64, y: f64) -> Matrix4 {
    let mut m = IDENTITY;
    [m[1][0], m[0][1]] = [x.tan(), y.tan()];
    m
}

fn rotation(x: f64, y: f64, z: f64, radians: f64) -> Matrix4 {
    let length = (x * x + y * y + z * z).sqrt();
    if length == 0.0 {
        return IDENTITY;
    }
    let (x, y, z) = (x / length, y / length, z / length);
    let (sin, cos) = radians.sin_cos();
    let t = 1.0 - cos;
    [
        [t * x * x + cos, t * x * y + sin * z, t * x * z - sin * y, 0.0],
        [t * x * y - sin * z, t * y * y + cos, t * y * z + sin * x, 0.0],
        [t * x * z + sin * y, t * y * z - sin * x, t * z * z + cos, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}
