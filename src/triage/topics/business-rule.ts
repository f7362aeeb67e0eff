import type { Topic } from "./topic.ts";

/** It was understood, and a rule or the state of the domain says no. */
export const businessTopics: readonly Topic[] = [
  {
    id: "duplicate",
    confidence: 0.92,
    means: "it exists already, often because this message was processed before",
    phrases: `duplicate key | duplicate entry | duplicate key* | duplicate record | duplicate value | duplicate request
      | duplicate message | duplicate event | duplicate order | duplicates detected | unique constraint
      | unique violation | unique constraint* | unique key violation | unique index | must be unique | is not unique
      | uniqueness | record not unique | not unique* | violation of primary key | violation of unique key
      | primary key constraint | already exist* | exists already | already been taken | has already been taken
      | already taken | already in use | already registered | already processed | already been processed
      | already handled | already consumed | already applied | already used | already been used | already created
      | already started | document already exists | resource already exists | e11000 | idempotency key
      | keys for idempotent requests | idempotency conflict | idempotency_error | deja existe | existe deja | ya existe
      | bereits vorhanden | existiert bereits | esiste gia | ja existe | ja cadastrado | ya registrado`,
  },
  {
    id: "already-done",
    confidence: 0.9,
    means: "what it asks for has been done or decided already",
    phrases: `already refunded | already been refunded | already captured | already paid | already been paid
      | already shipped | already been shipped | already cancelled | already canceled | already been cancelled
      | already been canceled | already completed | already complete | already closed | already approved
      | already rejected | already confirmed | already booked | already delivered | already settled | already activated
      | already active | already redeemed | already subscribed | already a member | already assigned
      | already submitted | already finished | already exists for | already invoiced | already voided | already running
      | can no longer be | no longer be cancelled | no longer allowed | no longer accepts | no longer editable | ya fue
      | ya ha sido | deja ete | a deja | bereits storniert | bereits bezahlt | wurde bereits | ist bereits | gia stato
      | ja foi`,
  },
  {
    id: "forbidden-step",
    confidence: 0.88,
    means: "the thing is in a state that does not allow this step",
    phrases: `invalid transition | cannot transition | transition from | illegal transition | transition not allowed
      | transition is not allowed | invalid state transition | state transition | status transition
      | illegal state transition | cannot be changed to | cannot be updated | can not be updated | cannot be modified
      | cannot be cancelled | cannot be canceled | cannot be refunded | cannot be deleted because | cannot be shipped
      | cannot be processed because | must never update | completed + must not | not allowed in state
      | not allowed in status | not in a valid state | not in the correct state | in an invalid state
      | invalid state for | wrong state | wrong status | invalid status | is not in state | status of + cannot
      | in status | with the status | in state + cannot | not permitted in | cannot refund | cannot cancel
      | cannot ship | cannot capture | cannot void | cannot reopen | field is immutable | immutable field
      | is immutable | not eligible | ineligible | is not refundable | not refundable | not cancellable | is closed for
      | is locked for editing | period is closed | is archived | is frozen | is suspended | account is closed
      | account is blocked | account + blocked`,
  },
  {
    id: "not-enough",
    confidence: 0.92,
    means: "there is not enough of something: money, stock, seats, credit",
    phrases: `insufficient fund* | insufficient balance | insufficient balance* | insufficient stock
      | insufficient stock* | insufficient inventory | insufficient credit | insufficient quantity
      | insufficient amount | insufficient points | insufficient | not enough stock | not enough inventory
      | not enough balance | not enough funds | not enough credit | not enough seats | inventory + not enough
      | inventory doesn t cover | is not enough to | out of stock | remaining in stock | only + remaining
      | only + available | no stock | stock not available | sold out | negative stock | negative stock*
      | negative batch quantity | would go negative | negative balance | balance is lower | balance + lower than
      | balance too low | overdraft | overdrawn | credit limit | limit exceeded for customer | exceeds available
      | exceeds balance | exceeds the available | exceeds the limit | exceeds remaining | cannot exceed
      | exceed* the allowed amount | exceeds the original | greater than the remaining | greater than available
      | more than available | fully booked | no seats | no availability | no longer available for purchase
      | balance_insufficient`,
  },
  {
    id: "declined",
    confidence: 0.92,
    means: "the other side looked at it and declined",
    phrases: `declined | card_declined | decline code | instrument_declined | do not honor | payment refused
      | was refused by | refused by issuer | payment failed + card | card has expired | expired card | expired_card
      | incorrect_cvc | card was declined | card not supported | payment method + not supported
      | transaction not permitted | transaction rejected | payment rejected | rejected by | was rejected
      | application rejected | fraud* | blocked by risk | risk rules | blacklist* | denylisted | kyc | sanction*
      | unsubscribed | opted out | blocked by the user | bot was blocked | suppressed recipient | suppression list
      | spam | on the suppression | not verified | is not verified | authentication_required + card`,
  },
  {
    id: "check-constraint",
    confidence: 0.9,
    means: "a check that guards the data says no",
    phrases: `check constraint | check violation | violates check | violates exclusion constraint
      | exclusion constraint | conditional check failed* | conditional check failed | conditional request failed
      | condition check failed | still referenced | is still referenced from | delete or update a parent row
      | reference constraint | delete statement conflicted | restrict_violation | cannot delete + referenced
      | foreign key + on delete + restrict | child record found | in use by | is in use | has dependent | has active
      | has open | has pending | still has`,
  },
  {
    id: "rule",
    confidence: 0.78,
    means: "a rule of the business says no",
    phrases: `business rule | business rule* | business validation | business exception | domain rule
      | domain exception | rule violation | rule violation* | violates rule | policy violation | not allowed to
      | is not allowed | are not allowed | not_allowed | not allowed | not permitted | must not exceed | may not exceed
      | exceeds maximum | exceeds the maximum allowed | maximum allowed | minimum order | minimum amount
      | below minimum | amount too small | amount_too_small | amount too large | amount_too_large | too early
      | too late | deadline has passed | expired on | promo code | discount code | under age | underage | age limit
      | outside of | outside the allowed | outside business hours | not available in your | quota for customer
      | limit reached | limit of + reached | cancelled order | canceled order | expired order | must be in the future
      | must be in the past | must be positive | must be greater than | must be less than | cannot be negative
      | cannot be zero | cannot be empty order | cannot be before | must be before | must be after | overlaps with
      | overlapping | conflicts with | conflict with existing | approval denied | not subscribed | not a member of
      | does not belong to | is not assigned to | is not active | not active | is inactive
      | is not enabled for customer | unfulfillable | unprocessable + inventory | bpmn | higher than the maximum
      | lower than the minimum | higher than allowed | than requested | less value than | more than the | less than the
      | higher than | lower than | no more + can be | no longer possible | not possible | on vacation | is over
      | has ended | already in transit | in transit | cannot be added | cannot add | cannot remove | cannot book
      | cannot be booked | cannot be assigned | cannot be approved | cannot be completed because | cannot be closed
      | cannot be used | may not be | is not open | not open | is closed | auction closed | account closed
      | market closed | order closed | closed exception | closed error | mandate + cancelled | cancelled or expired
      | failed cancelled or expired | not cancellable | not allowed for | only allowed | only one | at most one
      | maximum number of | minimum number of | at least one | reached the maximum | reached its limit | over the limit
      | below the limit | above the limit | under review | pending review | on hold | is locked | has been locked
      | has been closed | has been cancelled | has been canceled | was rejected by | has been rejected | needs approval
      | requires verification | verification required | not verified | unverified | blocked customer
      | customer is blocked | user is blocked | blocked user | banned | rule engine | precondition not met
      | business precondition | eligibility`,
  },
  {
    id: "already",
    confidence: 0.72,
    means: "it says that something is or was done already",
    phrases: `has already | have already | is already | was already | been already | already | exists`,
  },
  {
    id: "conflict",
    confidence: 0.58,
    means: "it conflicts with what is there",
    phrases: `conflict | conflicts | conflicting`,
  },
  {
    id: "expired",
    confidence: 0.76,
    means: "what it asks for has expired",
    phrases: `coupon | voucher | has expired | have expired | is expired | expired | overdue | not eligible`,
  },
  {
    id: "says-no",
    confidence: 0.5,
    means: "it reads like a rule of the business saying no",
    phrases: `closed | ended | inactive | suspended | blocked | cancelled | canceled | rejected | refused
      | not permitted | disallowed | prohibited | forbidden transition | unavailable for | too late | too early
      | too many | too few | exceeds | exceeded | maximum | minimum | until | vacation | denied because`,
  },
];
