-- The IANA name of the time zone in which a user reads times. Null: that of the browser.
ALTER TABLE "users" ADD COLUMN "time_zone" TEXT;
