-- JavaScript that makes an event into the body that the receiver gets. See
-- docs/decisions/actions/168-a-subscription-makes-its-own-body.md.
alter table subscriptions add column transform text;
