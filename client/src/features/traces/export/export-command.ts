import { copyTrace as copy, exportTrace as save } from './export-trace.ts';
import { showWarning } from '../../../window/messages.ts';
import { countByServer } from '../view/server-counter.ts';
import { readUri } from '../../../targets/arguments.ts';
import { findCallPlace } from '../call-place.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

const NOTHING = 'There is no trace yet. Send a request, or open a file with traces.';

/**
 * Saves a trace to a file and returns the file: the trace of a row or a call, else of the trace file in
 * front, else of the selected row in the Traces view, else the newest. Other arguments name format and file;
 * with `content` as the last one, spans include requests and replies.
 */
export const exportTrace: Command<TracesParts> = (services, [target, format, file, content]) => {
  const place = findCallPlace(services, target);
  const choice = {
    format: readFormat(format),
    target: readUri(file),
    includesContent: content === 'content',
  };
  if (place) return save(place, countByServer(services.server), choice);
  return showWarning(NOTHING);
};

/** Copies a trace, found in the same way, and returns the text. A second argument names the format. */
export const copyTrace: Command<TracesParts> = (services, [target, format, content]) => {
  const place = findCallPlace(services, target);
  const choice = { format: readFormat(format), includesContent: content === 'content' };
  if (place) return copy(place, countByServer(services.server), choice);
  return showWarning(NOTHING);
};

/** For a menu command of a row, VS Code passes the selected rows in this argument. */
function readFormat(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
