/** Checks whether the time zone data of this machine contains a zone. */
export function isTimeZone(zone: string): boolean {
  try {
    // An offset such as +02:00 is not a zone.
    return !/^[+-]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}
