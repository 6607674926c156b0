/** The value of a variable of the environment; undefined for the names that every object of JavaScript has. */
export function readEnv(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
