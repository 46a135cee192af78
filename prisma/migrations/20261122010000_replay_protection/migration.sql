-- Whether signed bytes that come again are a duplicate, whatever id they come under. Null: as the provider's events call for.
ALTER TABLE "hooks" ADD COLUMN "replay_protection" BOOLEAN;
