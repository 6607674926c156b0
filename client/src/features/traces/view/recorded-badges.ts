import { FileDecoration, Uri, window, type Disposable, type FileDecorationProvider } from 'vscode';
import type { CallEvent } from '../../../../../core/events/events.ts';

/** The URI scheme by which the rows of recorded calls get their badge. */
const SCHEME = 'parley-recorded';

/** The URI of the row of a call that another program made; undefined for a call of this window. */
export function findBadgeUri({ call, seen, reported }: CallEvent): Uri | undefined {
  if (reported) return Uri.from({ scheme: SCHEME, path: `/${call}`, query: 'reported' });
  return seen === undefined ? undefined : Uri.from({ scheme: SCHEME, path: `/${call}` });
}

/** Marks the rows of calls that other programs made. The icon of a row shows its status. */
export class RecordedBadges implements FileDecorationProvider, Disposable {
  readonly #registration = window.registerFileDecorationProvider(this);

  provideFileDecoration({ scheme, query }: Uri): FileDecoration | undefined {
    if (scheme !== SCHEME) return undefined;
    return query === 'reported'
      ? new FileDecoration('T', 'Reported by telemetry')
      : new FileDecoration('R', 'Recorded from another program');
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
