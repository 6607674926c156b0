import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { DEFAULT_SETTINGS } from '../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../language/languages.ts';
import { medianOf, type Benchmark, type Row } from './benchmark.ts';

const RUNS = 9;
const BYTES = 8_000_000;

/** Reads and validates a message with a tensor of 10 MB of text, compared with the same text in a JSON string. */
export const benchmark: Benchmark = {
  title: 'Parse and validate a tensor of 10 MB: alphabet, length against type and shape, overflow',
  limit: 2,
  async measure() {
    // Five characters for the bytes of ones and zeros, which are also valid in a bool tensor.
    const payload = '0RRC2'.repeat(BYTES / 4);
    const service = getLanguageService({});
    const json = JSON.stringify([payload]);
    const readPeer = async (): Promise<void> => {
      const document = TextDocument.create('file:///tensor.json', 'json', 1, json);
      await service.doValidation(document, service.parseJSONDocument(document));
    };
    return [
      await measureTensor('uint8', payload),
      await measureTensor('bool', payload),
      {
        name: 'vscode-json-languageservice, a string',
        kind: 'peer',
        medianMs: await medianOf(RUNS, readPeer),
        runs: RUNS,
      },
    ];
  },
};

async function measureTensor(dtype: string, payload: string): Promise<Row> {
  const text = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[t:${dtype}:${BYTES}:${payload}]]`;
  const read = (): void => {
    const issues = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS).validate();
    const [issue] = issues.filter(({ code }) => code !== 'aicl/message-size');
    if (issue) throw new Error(`the tensor has issues: ${issue.message}`);
  };
  return {
    name: `Parley, ${dtype}, the whole message`,
    kind: 'ours',
    medianMs: await medianOf(RUNS, read),
    runs: RUNS,
  };
}
