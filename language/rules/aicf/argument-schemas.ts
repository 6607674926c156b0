import { linkFinding, LONGEST_AT_A_KEY } from '../../aicf/linked-json.ts';
import type { AicfTypeName } from '../../../core/catalog/aicf.ts';
import { encodeJson } from '../../aicf/json-field.ts';
import { quote } from '../../../core/text/quote.ts';
import { showSource } from '../../tools.ts';
import { holdsVariable } from '../../variables.ts';
import { buildFix, draftLineIssue, type AicfRule } from './report.ts';

/** JSON in an argument must fit the JSON Schema that the agent reports for the tool (422). */
export const checkArgumentSchemas: AicfRule = ({ report }) => ({
  visit(line) {
    const { call } = line;
    const schemas = call?.tool?.schema?.json;
    if (!call?.tool || !schemas) return;
    for (const finding of call.json.values()) {
      const argument = call.tool.arguments[finding.firstField - 1];
      if (finding.state !== 'whole' || !argument) continue;
      const json = linkFinding(line, finding, LONGEST_AT_A_KEY);
      const schema =
        json && IS_JSON[argument.type](json.embedded.text) ? schemas.find(argument.name) : undefined;
      if (!json || !schema) continue;
      const { text } = json.embedded;
      // A field of any type may also be a text, which only looks like JSON.
      if (argument.type === 'any' && schema.check(JSON.stringify(text)).length === 0) continue;
      for (const { span, problem, advice, mends } of schema.check(text)) {
        // The value of a variable is not known yet.
        if (holdsVariable(text.slice(span.start, span.end))) continue;
        const place = json.embedded.toSource(span);
        report(
          draftLineIssue('aicf/argument-schema', line, place, () => ({
            message: `${problem}${showSource(line.tools)}; ${advice}`,
            fixes: mends.map(mend =>
              buildFix(`Write ${quote(mend).slice(1, -1)}`, line, place, encodeJson(mend)),
            ),
          })),
        );
      }
    }
  },
});

/** True for JSON that the schema of an argument is about; what has another type is reported as such. */
const IS_JSON: Readonly<Record<AicfTypeName, (json: string) => boolean>> = {
  object: json => json.trimStart().startsWith('{'),
  array: json => json.trimStart().startsWith('['),
  any: () => true,
  string: () => false,
  number: () => false,
  integer: () => false,
  boolean: () => false,
};
