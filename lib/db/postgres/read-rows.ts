import { type ColumnType, ColumnTypeEnum, type SqlResultSet } from "@prisma/driver-adapter-utils";

/** Rows as objects, with the values that Prisma's `$queryRaw` would return. */
export function readRows({
  columnNames,
  columnTypes,
  rows,
}: SqlResultSet): Record<string, unknown>[] {
  const readers = columnTypes.map((type) => readersByType.get(type));
  return rows.map((row) => {
    const read: Record<string, unknown> = {};
    for (const [index, name] of columnNames.entries()) {
      const value = row[index] ?? null;
      const reader = readers[index];
      read[name] = value === null || reader === undefined ? value : reader(value);
    }
    return read;
  });
}

type Reader = (value: unknown) => unknown;

const toBigInt: Reader = (value) => BigInt(value as string | number);
// The adapter writes every time in UTC.
const toDate: Reader = (value) => new Date(value as string);
const toJson: Reader = (value) => JSON.parse(value as string);
const toBytes: Reader = (value) => new Uint8Array(value as Uint8Array);
const rejectType: Reader = () => {
  throw new Error("JavaScript has no type for numeric or time of day: cast it in the statement.");
};

const readersByType = new Map<ColumnType, Reader>([
  [ColumnTypeEnum.Int64, toBigInt],
  [ColumnTypeEnum.DateTime, toDate],
  [ColumnTypeEnum.Date, toDate],
  [ColumnTypeEnum.Json, toJson],
  [ColumnTypeEnum.Bytes, toBytes],
  [ColumnTypeEnum.Numeric, rejectType],
  [ColumnTypeEnum.Time, rejectType],
  [ColumnTypeEnum.Int64Array, ofEach(toBigInt)],
  [ColumnTypeEnum.DateTimeArray, ofEach(toDate)],
  [ColumnTypeEnum.DateArray, ofEach(toDate)],
  [ColumnTypeEnum.JsonArray, ofEach(toJson)],
  [ColumnTypeEnum.BytesArray, ofEach(toBytes)],
  [ColumnTypeEnum.NumericArray, rejectType],
  [ColumnTypeEnum.TimeArray, rejectType],
]);

function ofEach(reader: Reader): Reader {
  return (values) => (values as unknown[]).map((value) => (value === null ? null : reader(value)));
}
