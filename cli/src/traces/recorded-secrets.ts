import { readEnv } from '../../../agents/config/variables.ts';
import { quote } from '../../../core/text/quote.ts';
import type { SecretNeed } from '../../../trace/replay/replay-secrets.ts';
import { UsageError } from '../exit.ts';
import { environmentName } from '../sending/cli-variables.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Values for the secrets of recorded requests, on a command line that never prompts. Only variables made for
 * this program, `PARLEY_SECRET_NAME`, are used by default: a recording can come from others and name any
 * environment variable, so the user must name others with `--secret`.
 */
export class RecordedSecrets {
  readonly #terminal: Terminal;
  /** Environment variables by the name of the secret in the recording. */
  readonly #named: ReadonlyMap<string, string>;

  /**
   * `options` have the form `NAME=VARIABLE`. Throws a UsageError for another form or a variable that is not
   * set.
   */
  constructor(terminal: Terminal, options: readonly string[]) {
    this.#terminal = terminal;
    this.#named = new Map(options.map(option => this.#read(option)));
  }

  /** The value of a secret; undefined if it has none. */
  valueOf({ kind, name }: SecretNeed): string | undefined {
    const variable =
      this.#named.get(name) ?? (kind === 'secret' ? environmentName('SECRET', name) : undefined);
    return variable === undefined ? undefined : readEnv(this.#terminal.env, variable) || undefined;
  }

  /** Advice on how to set the value of a secret. */
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
