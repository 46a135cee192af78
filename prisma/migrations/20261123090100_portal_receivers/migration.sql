-- Every call to a receiver URL that was entered in the portal stays under the portal's allow-list.
ALTER TABLE "subscriptions" RENAME COLUMN "created_by_portal" TO "receiver_by_portal";

-- Who changed a URL was not recorded. Those that people of the portal may have changed count as theirs.
UPDATE "subscriptions" s SET "receiver_by_portal" = true
WHERE NOT s."receiver_by_portal" AND s."updated_at" > s."created_at" AND EXISTS (
  SELECT FROM "portal_links" l
  WHERE l."account_id" = s."account_id" AND l."recipient" = s."recipient"
    AND 'subscriptions:write' = ANY (l."capabilities") AND l."created_at" < s."updated_at"
);

-- Failed challenges said whether a port is open.
UPDATE "subscriptions" SET "status_reason" = 'challenge: The receiver URL has not answered the challenge yet.'
WHERE "status" = 'pending' AND "status_reason" LIKE 'challenge: %';
