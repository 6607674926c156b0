import { parse } from 'smol-toml';

/** The same as JSON, for a text of TOML; undefined for any other text. */
export function tomlToJson(text: string): string | undefined {
  if (!/^\s*(?:#[^\n]*\n\s*)*(?:\[[\w."'-]+\]|[\w.-]+\s*=)/.test(text)) return undefined;
  try {
    return JSON.stringify(parse(text), (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
  } catch {
    // The library throws for everything that is no TOML.
    return undefined;
  }
}
