/** True for a host, as URLs name it, under which this computer reaches itself: servers name it in many ways. */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/** The port of an address, also where it is that of its scheme. */
export function portOf({ protocol, port }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
