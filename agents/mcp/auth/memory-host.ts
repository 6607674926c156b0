import type { SignInHost } from './host.ts';

/** Keeps what a sign-in must not forget until the program ends, and asks nobody. */
export function openMemoryHost(): SignInHost {
  const texts = new Map<string, string>();
  return {
    read: key => Promise.resolve(texts.get(key)),
    keep: (key, text) => Promise.resolve(void texts.set(key, text)),
    forget: key => Promise.resolve(void texts.delete(key)),
  };
}
