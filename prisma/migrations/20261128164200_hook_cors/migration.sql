-- The pages that may send to a hook from a browser.
alter table hooks add column cors json;
