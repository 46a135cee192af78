-- The fields of payloads that viewers see masked: names with dots between them, * and **.
ALTER TABLE "accounts" ADD COLUMN "masked_fields" TEXT[] DEFAULT ARRAY[]::TEXT[];
