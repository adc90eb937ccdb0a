// Times that a record may have: of years that every part of the service writes with four digits.

/** Years of four digits in every time zone: 0001-01-02 to 9999-12-30. */
const EARLIEST_MS = -62_135_510_400_000;
const LATEST_MS = 253_402_214_399_999;

/** In epoch milliseconds. */
export const isStorable = (time: number): boolean => time >= EARLIEST_MS && time <= LATEST_MS;
