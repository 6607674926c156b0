/** The local time of day, such as `14:03:22`, which stays correct without updates. `at` is milliseconds since 1970. */
export function formatTimeOfDay(at: number): string {
  const time = new Date(at);
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}
