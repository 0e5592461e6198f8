//! The MCP server with the additional tools, resources and prompts that the conformance suite expects: logging,
//! requests to the client, subscriptions and sessions, which the product does not use.
#![expect(deprecated, reason = "the suite asks for logging, which later revisions do without")]

use limner_mcp::Tools;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, CompleteRequestParams, CompleteResult,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceTemplate, ServerConfig, ServerNotification,
    ServerRequest, SetLevelRequestParams, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One red pixel.
const PNG_BASE64: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// An empty audio file.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The tools, with the suite's fixtures.
#[derive(Clone)]
pub(crate) struct Fixtures {
    tools: Tools,
    /// Log messages below this level are not sent.
    level: Arc<Mutex<usize>>,
    watched: Arc<Mutex<Vec<String>>>,
}

type Context = RequestContext<RoleServer>;

impl Fixtures {
    pub(crate) fn new(tools: Tools) -> Self {
        Self { tools, level: Arc::default(), watched: Arc::default() }
    }

    /// Returns a fixture's result; `None` if the tool is not a fixture.
    async fn answer(&self, request: &CallToolRequestParams, context: &Context) -> Option<Result<Value, ErrorData>> {
        let argument = |name: &str| {
            let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let answer = match request.name.as_ref() {
            "test_error_handling" => {
                return Some(Ok(json!({
                    "isError": true,
                    "content": [text("This tool intentionally returns an error for testing")],
                })));
            }
            "test_tool_with_logging" => self.logging(context).await,
            "test_tool_with_progress" => progress(context).await,
            "test_sampling" => sampling(context, &argument("prompt")).await,
            "test_elicitation" => {
                let answered = elicit(context, &argument("message"), user()).await;
                answered.map(|said| format!("User response: {said}"))
            }
            "test_elicitation_sep1034_defaults" => elicit(context, "Check the values.", defaults())
                .await
                .map(|said| format!("Elicitation completed: {said}")),
            "test_elicitation_sep1330_enums" => {
                elicit(context, "Choose.", choices()).await.map(|said| format!("Elicitation completed: {said}"))
            }
            "test_reconnection" => {
                tokio::time::sleep(2 * RETRY_DELAY).await;
                Ok("Reconnection test completed successfully".to_owned())
            }
            name => return content(name).map(|content| Ok(json!({ "content": content }))),
        };
        Some(answer.map(|said| json!({ "content": [text(&said)] })))
    }

    async fn logging(&self, context: &Context) -> Result<String, ErrorData> {
        for (step, said) in
            ["Tool execution started", "Tool processing data", "Tool execution completed"].into_iter().enumerate()
        {
            if step > 0 {
                tokio::time::sleep(RETRY_DELAY).await;
            }
            if *self.level.lock().unwrap() <= 1 {
                let params = json!({ "level": "info", "logger": "fixtures", "data": said });
                notify(context, "notifications/message", params).await?;
            }
        }
        Ok("Said three times what it did".to_owned())
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn picture() -> Value {
    json!({ "type": "image", "data": PNG_BASE64, "mimeType": "image/png" })
}

fn resource(uri: &str, media_type: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": media_type, "text": text } })
}

/// Returns the tools with constant results.
fn content(tool: &str) -> Option<Value> {
    Some(match tool {
        "test_simple_text" => json!([text("This is a simple text response for testing.")]),
        "test_image_content" => json!([picture()]),
        "test_audio_content" => json!([{ "type": "audio", "data": SOUND, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => {
            json!([resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
        }
        "test_multiple_content_types" => json!([
            text("Multiple content types test:"),
            picture(),
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_header" | "json_schema_2020_12_tool" => json!([text("Nothing to say.")]),
        _ => return None,
    })
}

async fn progress(context: &Context) -> Result<String, ErrorData> {
    let token = context.meta.get_progress_token().map(|token| serde_json::to_value(token).unwrap());
    for done in [0, 50, 100] {
        if let Some(token) = &token {
            let params = json!({ "progressToken": token, "progress": done, "total": 100 });
            notify(context, "notifications/progress", params).await?;
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
    Ok("Done in three steps".to_owned())
}

async fn sampling(context: &Context, prompt: &str) -> Result<String, ErrorData> {
    let params = json!({ "messages": [{ "role": "user", "content": text(prompt) }], "maxTokens": 100 });
    let said = ask(context, "sampling/createMessage", params).await?;
    Ok(format!("LLM response: {}", said["content"]["text"].as_str().unwrap_or_default()))
}

async fn elicit(context: &Context, message: &str, schema: Value) -> Result<String, ErrorData> {
    let params = json!({ "message": message, "requestedSchema": schema });
    let said = ask(context, "elicitation/create", params).await?;
    Ok(format!("action={}, content={}", said["action"].as_str().unwrap_or_default(), said["content"]))
}

fn user() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    })
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
        "required": [],
    })
}

fn choices() -> Value {
    let options = ["option1", "option2", "option3"];
    let titled = [("value1", "First"), ("value2", "Second"), ("value3", "Third")]
        .map(|(value, title)| json!({ "const": value, "title": title }));
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
        "required": [],
    })
}

/// Adds the markers of results from revision 2026-07-28 on.
fn complete(mut result: Value) -> Value {
    result["resultType"] = "complete".into();
    result
}

/// Parses the protocol's JSON.
fn from_json<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    let shown = value.to_string();
    serde_json::from_value(value).map_err(|cause| ErrorData::internal_error(format!("{cause}: {shown}"), None))
}

async fn notify(context: &Context, method: &str, params: Value) -> Result<(), ErrorData> {
    let notification: ServerNotification = from_json(json!({ "method": method, "params": params }))?;
    let sent = context.peer.send_notification(notification).await;
    sent.map_err(|cause| ErrorData::internal_error(cause.to_string(), None))
}

/// Sends a request to the client and returns its response.
async fn ask(context: &Context, method: &str, params: Value) -> Result<Value, ErrorData> {
    let request: ServerRequest = from_json(json!({ "method": method, "params": params }))?;
    let answer: Result<ClientResult, _> = context.peer.send_request(request).await;
    let answer = answer.map_err(|cause| ErrorData::internal_error(cause.to_string(), None))?;
    serde_json::to_value(answer).map_err(|cause| ErrorData::internal_error(cause.to_string(), None))
}

fn tools() -> Vec<Value> {
    let mut tools: Vec<Value> = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_tool_with_logging",
        "test_error_handling",
        "test_tool_with_progress",
        "test_sampling",
        "test_elicitation",
        "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums",
        "test_reconnection",
    ]
    .iter()
    .map(|name| json!({ "name": name, "description": "A fixture", "inputSchema": { "type": "object" } }))
    .collect();
    tools.push(json!({
        "name": "test_header",
        "description": "Tool with an argument that is a header too",
        "inputSchema": {
            "type": "object",
            "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        },
    }));
    tools.push(json!({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
                },
            },
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        },
    }));
    tools
}

fn read_resource(uri: &str) -> Option<Value> {
    let template = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    Some(match (uri, template) {
        ("test://static-text", _) => {
            json!({ "uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource." })
        }
        ("test://static-binary", _) => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG_BASE64 }),
        (_, Some(id)) => {
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
        }
        _ => return None,
    })
}

fn prompts() -> Vec<Value> {
    let argument = |name: &str| json!({ "name": name, "description": "Needed", "required": true });
    let prompt =
        |name: &str, arguments: Vec<Value>| json!({ "name": name, "description": "A fixture", "arguments": arguments });
    vec![
        prompt("test_simple_prompt", vec![]),
        prompt("test_prompt_with_arguments", vec![argument("arg1"), argument("arg2")]),
        prompt("test_prompt_with_embedded_resource", vec![argument("resourceUri")]),
        prompt("test_prompt_with_image", vec![]),
    ]
}

fn prompt(request: &GetPromptRequestParams) -> Option<Value> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let said = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            resource(&argument("resourceUri"), "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![picture(), text("Please analyze the image above.")],
        _ => return None,
    };
    let messages: Vec<Value> = said.iter().map(|content| json!({ "role": "user", "content": content })).collect();
    Some(json!({ "messages": messages }))
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.tools.get_info();
        let mut capabilities = serde_json::to_value(&info.capabilities).unwrap();
        capabilities["logging"] = json!({});
        capabilities["completions"] = json!({});
        capabilities["resources"]["subscribe"] = true.into();
        info.capabilities = serde_json::from_value(capabilities).unwrap();
        info
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let fixture = tools().into_iter().find(|tool| tool["name"] == name);
        fixture.map_or_else(|| self.tools.get_tool(name), |tool| serde_json::from_value(tool).ok())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.tools.list_tools(request, context).await?;
        listed.tools.extend(from_json::<Vec<Tool>>(tools().into())?);
        Ok(listed)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        match self.answer(&request, &context).await {
            Some(answer) => Ok(from_json::<CallToolResult>(complete(answer?))?.into()),
            None => self.tools.call_tool(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = self.tools.list_resources(request, context).await?;
        for uri in ["test://static-text", "test://static-binary"] {
            listed.resources.push(from_json::<Resource>(json!({ "uri": uri, "name": uri }))?);
        }
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut listed = self.tools.list_resource_templates(request, context).await?;
        let template = json!({ "uriTemplate": "test://template/{id}/data", "name": "A fixture" });
        listed.resource_templates.push(from_json::<ResourceTemplate>(template)?);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match read_resource(&request.uri) {
            Some(contents) => Ok(from_json::<ReadResourceResult>(complete(json!({ "contents": [contents] })))?.into()),
            None => self.tools.read_resource(request, context).await,
        }
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.watched.lock().unwrap().push(request.uri);
        Ok(())
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        self.watched.lock().unwrap().retain(|watched| *watched != request.uri);
        Ok(())
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        let level = serde_json::to_value(request).unwrap()["level"].clone();
        let place = LEVELS.iter().position(|known| level == *known);
        *self.level.lock().unwrap() = place.ok_or_else(|| ErrorData::invalid_params("no such level", None))?;
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut listed = self.tools.list_prompts(request, context).await?;
        listed.prompts.extend(from_json::<Vec<Prompt>>(prompts().into())?);
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompt(&request) {
            Some(messages) => Ok(from_json::<GetPromptResult>(complete(messages))?.into()),
            None => self.tools.get_prompt(request, context).await,
        }
    }

    async fn complete(&self, request: CompleteRequestParams, context: Context) -> Result<CompleteResult, ErrorData> {
        self.tools.complete(request, context).await
    }
}
