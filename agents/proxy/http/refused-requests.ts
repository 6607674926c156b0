import { readOrigin, type AccessFault } from '../../http/local-access.ts';

/** A request that a recording refused by itself. */
export interface RefusedRequest {
  readonly kind: AccessFault['kind'] | 'framing';
  /** The origin of a page, the host that was named, or the fault of the framing; empty if unknown. */
  readonly who: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The maximum number of reports of one recording: a page can invent any number of origins. */
const MAX_REPORTS = 20;

/** Reports each kind of refused request once, up to a limit. */
export function reportOnce(report: (refused: RefusedRequest) => void): (refused: RefusedRequest) => void {
  const known = new Set<string>();
  return refused => {
    const key = `${refused.kind} ${refused.who}`;
    if (known.has(key) || known.size === MAX_REPORTS) return;
    known.add(key);
    report(
      known.size < MAX_REPORTS
        ? refused
        : { ...refused, message: `${refused.message}; from here on refused requests are not reported` },
    );
  };
}

/** The origin that the user could allow after a report; undefined if there is none. */
export function originOf({ kind, who }: RefusedRequest): string | undefined {
  return kind === 'page' ? readOrigin(who) : undefined;
}
