import { readEnv } from '../../../agents/config/read-env.ts';
import { quote } from '../../../core/text/quote.ts';
import type { SecretNeed } from '../../../trace/replay/replay-secrets.ts';
import { UsageError } from '../exit.ts';
import { environmentName } from '../sending/cli-variables.ts';
import type { Terminal } from '../terminal.ts';

/**
 * The secrets that stood in recorded requests, on a command line, which never asks. Only what is set for this program is taken
 * by itself, `PARLEY_SECRET_NAME`: a recording may be of anybody and name any variable of the environment, so another one
 * is named by the user.
 */
export class RecordedSecrets {
  readonly #terminal: Terminal;
  /** Environment variables by what the recording calls the secret. */
  readonly #named: ReadonlyMap<string, string>;

  /** `options` are `NAME=VARIABLE`. Throws a UsageError for another text, and for a variable that is not set. */
  constructor(terminal: Terminal, options: readonly string[]) {
    this.#terminal = terminal;
    this.#named = new Map(options.map(option => this.#read(option)));
  }

  /** The value of a secret; undefined where it has none. */
  valueOf({ kind, name }: SecretNeed): string | undefined {
    const variable =
      this.#named.get(name) ?? (kind === 'secret' ? environmentName('SECRET', name) : undefined);
    return variable === undefined ? undefined : readEnv(this.#terminal.env, variable) || undefined;
  }

  /** How a secret gets its value. */
  advice({ kind, name }: SecretNeed): string {
    const option = `--secret ${name}=VARIABLE says which environment variable holds it`;
    return kind === 'secret' ? `set ${environmentName('SECRET', name)}, or ${option}` : option;
  }

  #read(option: string): readonly [string, string] {
    const [, name, variable] = /^(.+)=([^=]+)$/.exec(option) ?? [];
    if (name === undefined || variable === undefined)
      throw new UsageError(`--secret ${quote(option)} is not NAME=VARIABLE`);
    if (!readEnv(this.#terminal.env, variable))
      throw new UsageError(
        `The environment variable ${quote(variable)} of --secret ${quote(name)} has no value`,
      );
    return [name, variable];
  }
}
