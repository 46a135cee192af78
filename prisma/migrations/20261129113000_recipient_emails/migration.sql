-- A recipient's people are told by email when its receivers fail: such a channel belongs to the recipient.
ALTER TABLE "alert_channels" ADD COLUMN "recipient" TEXT;
ALTER TABLE "alert_channels" ADD COLUMN "link_token" TEXT;
ALTER TABLE "alert_channels" ADD COLUMN "confirmed_at" TIMESTAMPTZ(3);
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_account_id_recipient_fkey"
    FOREIGN KEY ("account_id", "recipient") REFERENCES "recipients"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alert_channels" ADD CONSTRAINT "alert_channels_recipient_check"
    CHECK (("recipient" IS NULL) = ("link_token" IS NULL) AND ("recipient" IS NULL OR "kind" = 'email'));
CREATE UNIQUE INDEX "alert_channels_link_token_key" ON "alert_channels"("link_token");
CREATE UNIQUE INDEX "alert_channels_account_id_recipient_target_key" ON "alert_channels"("account_id", "recipient", "target");
