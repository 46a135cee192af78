-- Results of a backtest that differ in the same way have the same key. Those of before are in one group until they are
-- deleted, within 24 hours.
alter table backtest_results add column change_key text not null default '';
