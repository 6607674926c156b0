/** True for a host name, as a URL writes it, that refers to this computer. */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);
}

/** The port of an address; the default of its scheme if the address names none. */
export function portOf({ protocol, port }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
