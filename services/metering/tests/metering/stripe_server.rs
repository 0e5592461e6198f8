//! A fake of the part of Stripe's HTTP API that metering uses, following its reference: form-encoded requests, JSON
//! responses, idempotency keys, errors, and rejection of parameters that its specification does not have.

use crate::stripe_parameters;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

pub(crate) const KEY: &str = "sk_test_limner";
pub(crate) const SECRET: &str = "whsec_limner";
/// Current period of every subscription, as Unix times of the start of November and December 2026.
pub(crate) const PERIOD: (i64, i64) = (1_793_491_200, 1_796_083_200);

type Form = BTreeMap<String, String>;

/// The fate of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Carried out, but the response is lost.
    AnswerLost,
    /// Not carried out: `429`.
    Busy,
}

#[derive(Default)]
struct StripeState {
    objects: BTreeMap<String, Value>,
    answers: BTreeMap<String, (Form, StatusCode, Value)>,
    requests: Vec<(String, String, Form)>,
    fates: VecDeque<Fate>,
    declines_cards: bool,
    /// Number of further writes to a path that are still carried out.
    away_after: Option<(String, u32)>,
    next: u32,
}

/// The server, with methods for the actions of Stripe and its customers.
#[derive(Clone)]
pub(crate) struct StripeServer {
    world: Arc<Mutex<StripeState>>,
    pub(crate) url: String,
}

type Answer = (StatusCode, Value);

impl StripeServer {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { world: Arc::default(), url };
        let router = Router::new().fallback(serve).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server
    }

    /// Sets the fates of the next requests, in order.
    pub(crate) fn next_requests(&self, fates: &[Fate]) {
        self.world.lock().unwrap().fates.extend(fates);
    }

    /// Sets whether cards are declined from now on.
    pub(crate) fn decline_cards(&self, declined: bool) {
        self.world.lock().unwrap().declines_cards = declined;
    }

    /// Makes Stripe unavailable for a path after `count` more writes to it, until [`Self::forget_keys`].
    pub(crate) fn fail_after_writes(&self, path: &str, count: u32) {
        self.world.lock().unwrap().away_after = Some((path.to_owned(), count));
    }

    /// Forgets idempotency keys, as Stripe does after a day.
    pub(crate) fn forget_keys(&self) {
        let mut world = self.world.lock().unwrap();
        world.answers.clear();
        world.away_after = None;
    }

    pub(crate) fn insert(&self, id: &str, object: Value) {
        self.world.lock().unwrap().objects.insert(id.to_owned(), object);
    }

    /// Creates an object with an id that begins with `prefix`; returns the id.
    pub(crate) fn create(&self, prefix: &str, mut object: Value) -> String {
        let mut world = self.world.lock().unwrap();
        let id = world.id(prefix);
        object["id"] = id.as_str().into();
        world.objects.insert(id.clone(), object);
        id
    }

    /// Returns the number of write requests so far, by method and path.
    pub(crate) fn writes(&self, path: &str) -> usize {
        let world = self.world.lock().unwrap();
        world.requests.iter().filter(|(method, of, _)| method == "POST" && of == path).count()
    }

    pub(crate) fn objects(&self, kind: &str) -> Vec<Value> {
        let world = self.world.lock().unwrap();
        world.objects.values().filter(|object| object["object"] == kind).cloned().collect()
    }

    pub(crate) fn object(&self, id: &str) -> Value {
        self.world.lock().unwrap().objects[id].clone()
    }

    /// Changes an object, as Stripe does.
    pub(crate) fn change(&self, id: &str, changes: Value) {
        let mut world = self.world.lock().unwrap();
        let object = world.objects.get_mut(id).unwrap();
        for (name, value) in changes.as_object().unwrap() {
            object[name] = value.clone();
        }
    }

    /// Pays a checkout as the customer, which starts its subscription if there is one. Returns the subscription's id.
    pub(crate) fn pay(&self, session: &str) -> Option<String> {
        let mut world = self.world.lock().unwrap();
        let paid = world.objects[session].clone();
        assert_eq!(paid["status"], "open", "{session} can't be paid any more");
        let subscription = (paid["mode"] == "subscription").then(|| {
            let id = world.id("sub");
            let subscription = json!({
                "id": id, "object": "subscription", "customer": paid["customer"], "status": "active",
                "cancel_at_period_end": false, "schedule": null, "metadata": paid["subscription_metadata"],
                "items": {"object": "list", "has_more": false, "data": [{
                    "id": format!("si_{id}"), "current_period_start": PERIOD.0, "current_period_end": PERIOD.1,
                    "price": {"id": paid["price"], "object": "price"}, "quantity": 1,
                }]},
            });
            world.objects.insert(id.clone(), subscription);
            id
        });
        drop(world);
        let payment = subscription.is_none().then(|| {
            let intent = json!({"object": "payment_intent", "customer": paid["customer"], "currency": paid["currency"],
                                "amount_received": paid["amount"]});
            self.create("pi", intent)
        });
        self.change(
            session,
            json!({"status": "complete", "payment_status": "paid", "url": null, "subscription": subscription,
                   "payment_intent": payment}),
        );
        subscription
    }

    /// Ends a term: the next phase of the subscription's schedule begins.
    pub(crate) fn renew(&self, subscription: &str) {
        let of = self.object(subscription);
        if of["cancel_at_period_end"] == true {
            return self.change(subscription, json!({"status": "canceled"}));
        }
        if let Some(schedule) = of["schedule"].as_str() {
            let phase = self.object(schedule)["phases"][1].clone();
            let mut items = of["items"].clone();
            items["data"][0]["price"]["id"] = phase["price"].clone();
            self.change(subscription, json!({"metadata": phase["metadata"], "items": items, "schedule": null}));
        }
    }

    /// Returns a webhook event about an object, signed at `moment`.
    pub(crate) fn message(&self, id: &str, kind: &str, object: &Value, moment: i64) -> (String, String) {
        let body = json!({
            "id": id, "object": "event", "type": kind, "api_version": "2024-06-20", "created": moment,
            "livemode": false, "pending_webhooks": 1, "data": {"object": object},
        });
        let body = body.to_string();
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
        let tag = ring::hmac::sign(&key, format!("{moment}.{body}").as_bytes());
        let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        (body, format!("t={moment},v1={hex},v0={}", "0".repeat(64)))
    }
}

async fn serve(
    State(server): State<StripeServer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut world = server.world.lock().unwrap();
    let (status, answer) = world.handle(&method, &uri, &headers, &body);
    let mut response = (status, answer.to_string()).into_response();
    response.headers_mut().insert("content-type", "application/json".parse().unwrap());
    response
}

fn error_response(status: u16, kind: &str, message: impl Into<String>) -> Answer {
    let message: String = message.into();
    (StatusCode::from_u16(status).unwrap(), json!({"error": {"type": kind, "message": message}}))
}

fn invalid(message: impl Into<String>) -> Answer {
    error_response(400, "invalid_request_error", message)
}

fn list(data: Vec<Value>, has_more: bool) -> Answer {
    (StatusCode::OK, json!({"object": "list", "url": "/v1/x", "has_more": has_more, "data": data}))
}

/// Returns the parameters nested in `name`, such as `metadata[a]`, as an object.
fn nested_params(form: &Form, name: &str) -> Value {
    let prefix = format!("{name}[");
    let entries = form.iter().filter_map(|(key, value)| {
        Some((key.strip_prefix(&prefix)?.strip_suffix(']')?.to_owned(), Value::String(value.clone())))
    });
    Value::Object(entries.collect::<Map<_, _>>())
}

impl StripeState {
    fn id(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}_{:05}", self.next)
    }

    fn add(&mut self, prefix: &str, object: &str, fields: Value) -> Answer {
        let id = self.id(prefix);
        let mut added = json!({"id": id, "object": object});
        for (name, value) in fields.as_object().unwrap() {
            added[name] = value.clone();
        }
        self.objects.insert(id, added.clone());
        (StatusCode::OK, added)
    }

    fn handle(&mut self, method: &Method, uri: &Uri, headers: &HeaderMap, body: &Bytes) -> Answer {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if header("authorization") != format!("Bearer {KEY}") {
            return error_response(401, "invalid_request_error", "Invalid API Key provided");
        }
        if header("stripe-version") != stripe_parameters::version() {
            return invalid("Invalid Stripe API version");
        }
        let is_write = *method == Method::POST;
        if is_write && header("content-type") != "application/x-www-form-urlencoded" {
            return invalid("not a form");
        }
        let text = if is_write { body.as_ref() } else { uri.query().unwrap_or_default().as_bytes() };
        let form: Form = url::form_urlencoded::parse(text).into_owned().collect();
        let Some(path) = uri.path().strip_prefix("/v1/").map(str::to_owned) else { return invalid("no such path") };
        self.requests.push((method.to_string(), path.clone(), form.clone()));
        let fate = self.fates.pop_front();
        if fate == Some(Fate::Busy) {
            return error_response(429, "invalid_request_error", "Too many requests");
        }
        let key = header("idempotency-key").to_owned();
        if is_write && key.is_empty() {
            return invalid("this server wants an idempotency key with every write");
        }
        if let Some((first, status, answer)) = self.answers.get(&key).filter(|_| is_write) {
            if *first != form {
                return error_response(
                    400,
                    "idempotency_error",
                    "Keys for idempotent requests can only be used with the same parameters",
                );
            }
            return (*status, answer.clone());
        }
        if is_write && self.is_away(&path) {
            return error_response(503, "api_error", "Stripe is away");
        }
        let (status, answer) = self.carry_out(method.as_str(), &path, &form);
        if is_write {
            self.answers.insert(key, (form, status, answer.clone()));
        }
        match fate {
            Some(Fate::AnswerLost) => error_response(500, "api_error", "something went wrong on Stripe's end"),
            _ => (status, answer),
        }
    }

    fn is_away(&mut self, path: &str) -> bool {
        match &mut self.away_after {
            Some((of, 0)) if of == path => true,
            Some((of, left)) if of == path => {
                *left -= 1;
                false
            }
            _ => false,
        }
    }

    fn carry_out(&mut self, method: &str, path: &str, form: &Form) -> Answer {
        let parts: Vec<&str> = path.split('/').collect();
        let Some(endpoint) = stripe_parameters::endpoint(method, path) else {
            return error_response(
                404,
                "invalid_request_error",
                format!("Unrecognized request URL ({method}: /v1/{path})"),
            );
        };
        if let Err(cause) = stripe_parameters::check(endpoint, form) {
            return invalid(cause);
        }
        let (_, pattern) = endpoint.split_once(' ').unwrap();
        let id = parts.get(if parts[0] == "checkout" { 2 } else { 1 }).copied().unwrap_or_default();
        if pattern.contains('*') && !self.objects.contains_key(id) {
            return error_response(404, "invalid_request_error", format!("No such object: '{id}'"));
        }
        match (method, pattern) {
            ("GET", "prices") => self.prices(form),
            ("GET", "invoices") => self.page("invoice", form),
            ("GET", "invoiceitems") => self.page("invoiceitem", form),
            ("GET", "refunds") => self.page("refund", form),
            ("GET", "disputes") => self.page("dispute", form),
            ("GET", "credit_notes") => self.page("credit_note", form),
            ("GET", "invoice_payments") => self.page("invoice_payment", form),
            ("GET", "checkout/sessions") => self.page("checkout.session", form),
            ("GET", "subscriptions") => self.page("subscription", form),
            ("GET", _) => (StatusCode::OK, self.objects[id].clone()),
            ("POST", "customers") => {
                if form["email"].matches('@').count() != 1 {
                    return invalid(format!("Invalid email address: {}", form["email"]));
                }
                self.add(
                    "cus",
                    "customer",
                    json!({"email": form["email"], "metadata": nested_params(form, "metadata")}),
                )
            }
            ("POST", "prices") => self.make_price(form),
            ("POST", "checkout/sessions") => self.check_out(form),
            ("POST", "checkout/sessions/*/expire") => {
                if self.objects[id]["status"] != "open" {
                    return invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.");
                }
                let session = self.objects.get_mut(id).unwrap();
                (session["status"], session["url"]) = ("expired".into(), Value::Null);
                (StatusCode::OK, session.clone())
            }
            ("DELETE", "subscriptions/*") => {
                self.objects.get_mut(id).unwrap()["status"] = "canceled".into();
                (StatusCode::OK, self.objects[id].clone())
            }
            ("POST", "subscriptions/*") => self.update_subscription(id, form),
            ("POST", "subscription_schedules") => self.make_schedule(form),
            ("POST", "subscription_schedules/*") => self.update_schedule(id, form),
            ("POST", "subscription_schedules/*/release") => self.release_schedule(id),
            ("POST", "invoices") => self.add(
                "in",
                "invoice",
                json!({
                    "customer": form["customer"], "currency": form["currency"], "status": "draft", "attempted": false,
                    "next_payment_attempt": null, "metadata": nested_params(form, "metadata"),
                    "collection_method": form["collection_method"],
                    "days_until_due": form.get("days_until_due"),
                }),
            ),
            ("POST", "invoices/*/finalize") => {
                if self.objects[id]["status"] != "draft" {
                    return invalid("This invoice is already finalized");
                }
                self.objects.get_mut(id).unwrap()["status"] = "open".into();
                (StatusCode::OK, self.objects[id].clone())
            }
            ("POST", "invoices/*/void") => {
                let status = &mut self.objects.get_mut(id).unwrap()["status"];
                if *status != "open" && *status != "uncollectible" {
                    return invalid("You can only void an invoice that is open or uncollectible");
                }
                *status = "void".into();
                (StatusCode::OK, self.objects[id].clone())
            }
            ("POST", "invoiceitems") => {
                if self.objects[&form["invoice"]]["status"] != "draft" {
                    return invalid("Invoice items can only be added to draft invoices");
                }
                let amount: i64 = form["amount"].parse().unwrap();
                let fields = json!({
                    "invoice": form["invoice"], "customer": form["customer"], "amount": amount,
                    "currency": form["currency"], "description": form["description"],
                    "metadata": nested_params(form, "metadata"),
                });
                self.add("ii", "invoiceitem", fields)
            }
            ("POST", "refunds") => self.refund_payment(form),
            ("POST", "billing_portal/sessions") => {
                let url = format!("https://billing.stripe.test/p/{}?back={}", form["customer"], form["return_url"]);
                self.add("bps", "billing_portal.session", json!({"url": url}))
            }
            _ => unreachable!("{method} {pattern}"),
        }
    }

    fn refund_payment(&mut self, form: &Form) -> Answer {
        let payment = &form["payment_intent"];
        let refunds = self
            .objects
            .values()
            .filter(|refund| refund["object"] == "refund" && refund["payment_intent"] == payment.as_str());
        let refunded: u64 = refunds.map(|refund| refund["amount"].as_u64().unwrap()).sum();
        let rest = self.objects[payment]["amount_received"].as_u64().unwrap() - refunded;
        if rest == 0 {
            return invalid("Charge has already been refunded.");
        }
        let fields = json!({"payment_intent": payment, "amount": rest, "status": "succeeded"});
        self.add("re", "refund", fields)
    }

    fn prices(&self, form: &Form) -> Answer {
        let wanted =
            |price: &&Value| price["object"] == "price" && price["lookup_key"] == form["lookup_keys[0]"].as_str();
        list(self.objects.values().filter(wanted).cloned().collect(), false)
    }

    fn make_price(&mut self, form: &Form) -> Answer {
        if self.objects.values().any(|price| price["lookup_key"] == form["lookup_key"].as_str()) {
            return invalid("A price already uses that lookup key");
        }
        let amount: i64 = form["unit_amount"].parse().unwrap();
        let recurring = form.get("recurring[interval]").map(|interval| json!({"interval": interval}));
        let fields = json!({
            "lookup_key": form["lookup_key"], "currency": form["currency"], "unit_amount": amount,
            "recurring": recurring, "name": form["product_data[name]"], "tax_behavior": form["tax_behavior"],
            "tax_code": form["product_data[tax_code]"],
        });
        self.add("price", "price", fields)
    }

    fn check_out(&mut self, form: &Form) -> Answer {
        let price = &form["line_items[0][price]"];
        let Some(of) = self.objects.get(price) else { return invalid(format!("No such price: '{price}'")) };
        let is_recurring = !of["recurring"].is_null();
        if is_recurring != (form["mode"] == "subscription") {
            return invalid("the price does not fit the mode");
        }
        if form.get("subscription_data[billing_cycle_anchor_config][day_of_month]").is_some_and(|day| day != "1") {
            return invalid("this test's subscriptions begin with a month");
        }
        let fields = json!({
            "mode": form["mode"], "status": "open", "payment_status": "unpaid", "customer": form["customer"],
            "success_url": form["success_url"], "cancel_url": form["cancel_url"],
            "client_reference_id": form["client_reference_id"], "metadata": nested_params(form, "metadata"),
            "subscription": null, "price": price, "amount": of["unit_amount"], "currency": of["currency"],
            "subscription_metadata": nested_params(form, "subscription_data[metadata]"),
            "url": "https://checkout.stripe.test/c/pay",
        });
        self.add("cs", "checkout.session", fields)
    }

    fn update_subscription(&mut self, id: &str, form: &Form) -> Answer {
        let subscription = self.objects.get_mut(id).unwrap();
        if subscription["status"] == "canceled" {
            return invalid("A canceled subscription can only update its cancellation_details and metadata.");
        }
        if !subscription["schedule"].is_null() {
            return invalid("The subscription is managed by a subscription schedule");
        }
        if let Some(cancel) = form.get("cancel_at_period_end") {
            subscription["cancel_at_period_end"] = (cancel == "true").into();
        }
        if let Some(price) = form.get("items[0][price]") {
            if self.declines_cards && form["payment_behavior"] == "error_if_incomplete" {
                return error_response(402, "card_error", "Your card was declined.");
            }
            if subscription["items"]["data"][0]["id"] != form["items[0][id]"].as_str() {
                return invalid("No such subscription item");
            }
            subscription["items"]["data"][0]["price"]["id"] = price.as_str().into();
        }
        for (name, value) in nested_params(form, "metadata").as_object().unwrap() {
            subscription["metadata"][name] = value.clone();
        }
        (StatusCode::OK, subscription.clone())
    }

    fn make_schedule(&mut self, form: &Form) -> Answer {
        let of = form["from_subscription"].clone();
        if !self.objects[&of]["schedule"].is_null() {
            return invalid("You cannot migrate a subscription that is already attached to a schedule");
        }
        let phases = json!([{"start_date": PERIOD.0, "end_date": PERIOD.1}]);
        let made = self.add("sub_sched", "subscription_schedule", json!({"subscription": of, "phases": phases}));
        self.objects.get_mut(&of).unwrap()["schedule"] = made.1["id"].clone();
        made
    }

    fn update_schedule(&mut self, id: &str, form: &Form) -> Answer {
        if form["phases[0][start_date]"] != PERIOD.0.to_string() {
            return invalid("You can not modify the start date of the current phase");
        }
        let schedule = self.objects.get_mut(id).unwrap();
        schedule["phases"] = json!([
            {"start_date": PERIOD.0, "end_date": form["phases[0][end_date]"], "price": form["phases[0][items][0][price]"]},
            {"price": form["phases[1][items][0][price]"], "metadata": nested_params(form, "phases[1][metadata]")},
        ]);
        schedule["end_behavior"] = form["end_behavior"].as_str().into();
        (StatusCode::OK, schedule.clone())
    }

    fn release_schedule(&mut self, id: &str) -> Answer {
        let of = self.objects[id]["subscription"].as_str().unwrap().to_owned();
        self.objects.get_mut(&of).unwrap()["schedule"] = Value::Null;
        (StatusCode::OK, self.objects[id].clone())
    }

    /// Returns a page of objects, newest first as in Stripe's API.
    fn page(&self, kind: &str, form: &Form) -> Answer {
        let is_asked_for = |object: &&Value| {
            let mut filters =
                form.iter().filter(|(name, _)| !matches!(name.as_str(), "limit" | "starting_after" | "status"));
            let is_ended = matches!(object["status"].as_str(), Some("canceled" | "incomplete_expired"));
            let wants_ended = form.get("status").is_some_and(|status| status == "ended");
            object["object"] == kind
                && (kind != "subscription" || is_ended == wants_ended)
                && filters.all(|(name, value)| match name.as_str() {
                    "created[gte]" => object["created"].as_i64().unwrap_or(i64::MAX) >= value.parse().unwrap(),
                    name => object[name] == value.as_str(),
                })
        };
        let mut all: Vec<Value> = self.objects.values().filter(is_asked_for).cloned().collect();
        all.reverse();
        if let Some(after) = form.get("starting_after") {
            let position = all.iter().position(|object| object["id"] == after.as_str()).unwrap();
            all.drain(..=position);
        }
        // Smaller pages than requested, so that three objects already need more than one.
        let limit = form["limit"].parse::<usize>().unwrap().min(2);
        let has_more = all.len() > limit;
        all.truncate(limit);
        list(all, has_more)
    }
}
