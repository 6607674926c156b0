import { workspace } from 'vscode';
import { readFields } from '../../../core/text/fields.ts';

/** The user setting with the collector, without the prefix `parley.`. */
const COLLECTOR_SETTING = 'trace.collector';

/** The displayed location of the collector's setting. */
export const COLLECTOR_PLACE = 'parley.trace.collector in the user settings';

/** The collector in the settings, with variables unresolved. */
interface CollectorSetting {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  /** True if spans include requests and replies. */
  readonly getsContent: boolean;
}

/** The collector in the settings; undefined if there is none. */
export function readCollector(): CollectorSetting | undefined {
  const fields = readFields(workspace.getConfiguration('parley').get(COLLECTOR_SETTING));
  const url = fields?.get('url');
  if (typeof url !== 'string' || url.trim() === '') return undefined;
  const headers = [...(readFields(fields?.get('headers')) ?? [])].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { url: url.trim(), headers: new Map(headers), getsContent: fields?.get('content') === true };
}
