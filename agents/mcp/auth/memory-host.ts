import type { SignInHost } from '../../sign-in-host.ts';

/** Stores what a sign-in needs until the program ends, and asks the user nothing. */
export function openMemoryHost(): SignInHost {
  const texts = new Map<string, string>();
  return {
    read: key => Promise.resolve(texts.get(key)),
    keep: (key, text) => Promise.resolve(void texts.set(key, text)),
    forget: key => Promise.resolve(void texts.delete(key)),
  };
}
