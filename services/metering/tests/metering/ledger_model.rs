//! A reference model of metering in the simplest form: a list of requests, and sums over it.
//!
//! The ledger keeps running balances and moves credits between books; this model keeps no balance at all.

use limner_metering::CreditSource;
use std::collections::BTreeMap;
use time::{Duration, OffsetDateTime};

/// The sources that the credits of a call come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Draw {
    pub(crate) source: CreditSource,
    pub(crate) plan: u64,
    pub(crate) overage: u64,
    pub(crate) pack: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Held {
        until: OffsetDateTime,
    },
    Charged {
        late: bool,
        refunded: bool,
    },
    /// Charged, then refunded by an operator.
    Undone {
        late: bool,
    },
    WrittenOff,
    Released,
    Expired,
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) price: u64,
    pub(crate) draw: Draw,
    /// (year, month) in which the call is charged.
    pub(crate) month: (i32, u8),
    pub(crate) status: Status,
}

impl Call {
    pub(crate) fn charged(&self) -> u64 {
        if matches!(self.status, Status::Charged { .. }) { self.price } else { 0 }
    }
}

/// The result of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    Granted,
    Refused,
    Suspended,
    Conflict,
    Settled,
}

/// The result of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charge {
    Charged { credits: u64, source: Option<CreditSource>, late: bool },
    Unknown,
    Settled,
}

/// The result of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refund {
    Done { as_pack_credits: bool },
    NotCharged,
    Unknown,
}

/// The account, as a caller sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) month: (i32, u8),
    pub(crate) limit: Option<u64>,
    pub(crate) spent: u64,
    pub(crate) plan_spent: u64,
    pub(crate) overage_spent: u64,
    pub(crate) pack_balance: u64,
    pub(crate) overage_enabled: bool,
    pub(crate) suspended: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) now: OffsetDateTime,
    pub(crate) limit: Option<u64>,
    pub(crate) overage_enabled: bool,
    pub(crate) suspended: bool,
    pub(crate) packs: BTreeMap<u8, u64>,
    /// Adjustments of the pack balance, and calls that were refunded as pack credits.
    pub(crate) adjusted: i64,
    /// Monthly credits and overage from the next month on.
    pub(crate) scheduled: Option<(Option<u64>, bool)>,
    pub(crate) calls: BTreeMap<u8, Call>,
}

impl Model {
    pub(crate) fn new(now: OffsetDateTime, limit: Option<u64>, overage_enabled: bool) -> Self {
        Self {
            now,
            limit,
            overage_enabled,
            suspended: false,
            packs: BTreeMap::new(),
            adjusted: 0,
            scheduled: None,
            calls: BTreeMap::new(),
        }
    }

    pub(crate) fn month(&self) -> (i32, u8) {
        (self.now.year(), self.now.month().into())
    }

    pub(crate) fn advance(&mut self, by: Duration) {
        let month = self.month();
        self.now += by;
        if self.month() != month
            && let Some(terms) = self.scheduled.take()
        {
            (self.limit, self.overage_enabled) = terms;
        }
    }

    pub(crate) fn set_plan(&mut self, limit: Option<u64>, overage_enabled: bool) {
        (self.limit, self.overage_enabled) = (limit, overage_enabled);
        self.scheduled = None;
    }

    /// A purchase that is reported twice is one purchase.
    pub(crate) fn buy(&mut self, reference: u8, credits: u64) {
        self.packs.insert(reference, credits);
    }

    fn bought(&self) -> u64 {
        self.packs.values().sum::<u64>().checked_add_signed(self.adjusted).unwrap()
    }

    /// Returns true if the pack balance covers the adjustment.
    pub(crate) fn adjust(&mut self, credits: i64) -> bool {
        let available = self.bought() - self.used_credits(|draw| draw.pack, false);
        let fits = available.checked_add_signed(credits).is_some();
        self.adjusted += if fits { credits } else { 0 };
        fits
    }

    /// In this test no month is billed before its end, so a charge of this month can always be undone.
    pub(crate) fn refund(&mut self, id: u8) -> Refund {
        let month = self.month();
        let Some(call) = self.calls.get_mut(&id) else { return Refund::Unknown };
        match call.status {
            Status::Undone { .. } => Refund::Done { as_pack_credits: false },
            Status::Charged { refunded: true, .. } => Refund::Done { as_pack_credits: true },
            Status::Charged { late, .. } if call.month == month => {
                call.status = Status::Undone { late };
                Refund::Done { as_pack_credits: false }
            }
            Status::Charged { late, .. } => {
                call.status = Status::Charged { late, refunded: true };
                self.adjusted += i64::try_from(call.price).unwrap();
                Refund::Done { as_pack_credits: true }
            }
            _ => Refund::NotCharged,
        }
    }

    pub(crate) fn hold(&mut self, id: u8, price: u64, life: Duration) -> Held {
        if let Some(call) = self.calls.get(&id) {
            return match call.status {
                _ if call.price != price => Held::Conflict,
                Status::Held { .. } | Status::Charged { .. } | Status::Undone { .. } | Status::WrittenOff => {
                    Held::Granted
                }
                Status::Released | Status::Expired => Held::Settled,
            };
        }
        if self.suspended {
            return Held::Suspended;
        }
        let Some(draw) = self.choose(price) else { return Held::Refused };
        let status = Status::Held { until: self.now + life };
        self.calls.insert(id, Call { price, draw, month: self.month(), status });
        Held::Granted
    }

    pub(crate) fn commit(&mut self, id: u8) -> Charge {
        let Some(call) = self.calls.get(&id).cloned() else { return Charge::Unknown };
        let (status, draw, month) = match call.status {
            Status::Released => return Charge::Settled,
            Status::Held { .. } => (Status::Charged { late: false, refunded: false }, call.draw, call.month),
            Status::Expired => match self.choose(call.price) {
                Some(draw) => (Status::Charged { late: true, refunded: false }, draw, self.month()),
                None => (Status::WrittenOff, call.draw, self.month()),
            },
            settled => (settled, call.draw, call.month),
        };
        self.calls.insert(id, Call { status, draw, month, ..call.clone() });
        match status {
            Status::Charged { late, .. } => Charge::Charged { credits: call.price, source: Some(draw.source), late },
            Status::Undone { late } => Charge::Charged { credits: 0, source: Some(draw.source), late },
            _ => Charge::Charged { credits: 0, source: None, late: true },
        }
    }

    /// A commit by a caller that knows the held call: an unknown call is treated as one whose hold has expired.
    pub(crate) fn commit_held(&mut self, id: u8, price: u64) -> Charge {
        let month = self.month();
        let draw = Draw { source: CreditSource::Plan, plan: 0, overage: 0, pack: 0 };
        self.calls.entry(id).or_insert(Call { price, draw, month, status: Status::Expired });
        self.commit(id)
    }

    /// Returns (the call is known, the call stays charged).
    pub(crate) fn release(&mut self, id: u8) -> (bool, bool) {
        let Some(call) = self.calls.get_mut(&id) else { return (false, false) };
        match call.status {
            Status::Held { .. } | Status::Expired => call.status = Status::Released,
            Status::Charged { .. } | Status::Undone { .. } | Status::WrittenOff => return (true, true),
            Status::Released => {}
        }
        (true, false)
    }

    pub(crate) fn sweep(&mut self) -> u64 {
        let mut expired = 0;
        for call in self.calls.values_mut() {
            if matches!(call.status, Status::Held { until } if until <= self.now) {
                call.status = Status::Expired;
                expired += 1;
            }
        }
        expired
    }

    pub(crate) fn observation(&self) -> Seen {
        let month = self.month();
        let spent = |part: fn(&Draw) -> u64| -> u64 {
            let charged = self.calls.values().filter(|call| call.charged() > 0 && call.month == month);
            charged.map(|call| part(&call.draw)).sum()
        };
        let (plan_spent, overage_spent) = (spent(|draw| draw.plan), spent(|draw| draw.overage));
        let packs_spent: u64 = self.calls.values().filter(|call| call.charged() > 0).map(|call| call.draw.pack).sum();
        Seen {
            month,
            limit: self.limit,
            spent: plan_spent + overage_spent + spent(|draw| draw.pack),
            plan_spent,
            overage_spent,
            pack_balance: self.bought() - packs_spent,
            overage_enabled: self.overage_enabled,
            suspended: self.suspended,
        }
    }

    /// Returns the credits of this kind that are spent or held; pack credits of all months, the others of this month.
    fn used_credits(&self, part: fn(&Draw) -> u64, of_this_month: bool) -> u64 {
        let counts = |call: &&Call| {
            matches!(call.status, Status::Held { .. } | Status::Charged { .. })
                && (!of_this_month || call.month == self.month())
        };
        self.calls.values().filter(counts).map(|call| part(&call.draw)).sum()
    }

    fn choose(&self, price: u64) -> Option<Draw> {
        let draw = |source, plan, overage, pack| Some(Draw { source, plan, overage, pack });
        let Some(limit) = self.limit else { return draw(CreditSource::Unlimited, price, 0, 0) };
        let (plan, overage) = (self.used_credits(|draw| draw.plan, true), self.used_credits(|draw| draw.overage, true));
        let left = limit.saturating_sub(plan);
        if left >= price {
            return draw(CreditSource::Plan, price, 0, 0);
        }
        if self.bought() - self.used_credits(|draw| draw.pack, false) >= price {
            return draw(CreditSource::Pack, 0, 0, price);
        }
        if self.overage_enabled && plan + overage + price <= 2 * limit {
            return draw(CreditSource::Overage, left, price - left, 0);
        }
        None
    }
}
