//! Code of a call in several languages.

use limner_types::{Operation, WireEnum};
use serde_json::json;

/// Returns blocks of code that make a call for a page, as tabs.
pub(super) fn samples(endpoint: &str, operation: Option<Operation>, page: &str) -> String {
    let of_operation = |text: String| operation.map_or(String::new(), |_| text);
    let query = of_operation(format!("?url={page}"));
    let parameter = of_operation(format!("url.searchParams.set(\"url\", \"{page}\");\n"));
    let params = of_operation(format!("    params={{\"url\": \"{page}\"}},\n"));
    let mut text = format!(
        "```sh tab=curl\ncurl -H \"Authorization: Bearer $LIMNER_API_KEY\" '{endpoint}{query}'\n```\n\n\
         ```ts tab=TypeScript\nconst url = new URL(\"{endpoint}\");\n{parameter}\
         const response = await fetch(url, {{\n  headers: {{ Authorization: `Bearer ${{process.env.LIMNER_API_KEY}}` }},\n}});\n\
         const result = await response.json();\n\
         if (!response.ok) throw new Error(`${{result.data.code}}: ${{result.statusMessage}}`);\n\
         console.log(result);\n```\n\n\
         ```python tab=Python\nimport os\nimport requests\n\nresponse = requests.get(\n    \"{endpoint}\",\n{params}    \
         headers={{\"Authorization\": f\"Bearer {{os.environ['LIMNER_API_KEY']}}\"}},\n    timeout=60,\n)\n\
         result = response.json()\nif not response.ok:\n    \
         raise RuntimeError(f\"{{result['data']['code']}}: {{result['statusMessage']}}\")\nprint(result)\n```\n"
    );
    if let Some(operation) = operation {
        let call = json!({ "method": "tools/call", "params": tool_call(operation, page) });
        let call = serde_json::to_string_pretty(&call).unwrap_or_default();
        text.push_str(&format!("\n```json tab=MCP\n{call}\n```\n"));
    }
    text
}

/// Returns the call of the MCP tool of an operation.
fn tool_call(operation: Operation, page: &str) -> serde_json::Value {
    let name = match operation {
        Operation::Code => "extract_code",
        Operation::Brand => "extract_brand",
        Operation::Extract => "extract_design_tokens",
        Operation::Svg => "extract_svgs",
        kind => {
            let arguments = json!({ "url": page, "kinds": [kind.as_str()] });
            return json!({ "name": "extract_assets", "arguments": arguments });
        }
    };
    json!({ "name": name, "arguments": { "url": page } })
}
