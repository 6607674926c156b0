import { isRequestLine } from '../../aicf/ast.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { draftLineIssue, countNoun, type AicfRule } from './report.ts';

/** A request may have at most `parley.aicf.maxFields` fields. Lists of tools and results are not limited. */
export const checkFieldCount: AicfRule = ({ doc, report }) => {
  const most = doc.settings['aicf.maxFields'];
  return {
    visit(line) {
      const { tree } = line;
      if (tree.pipes.length <= most || !isRequestLine(tree)) return;
      report(
        draftLineIssue('aicf/too-many-fields', line, tree.word, () => ({
          message: `The request has ${countNoun(tree.pipes.length, 'field')}, more than ${most}; write '\\|' for a pipe in an argument`,
        })),
      );
    },
  };
};

/** A request may have at most `parley.aicf.maxBodyBytes` bytes of UTF-8. */
export const checkBodyLength: AicfRule = ({ doc, report }) => {
  const most = doc.settings['aicf.maxBodyBytes'];
  return {
    visit(line) {
      const { text, tree } = line;
      // A UTF-16 code unit takes at most three bytes of UTF-8.
      if (tree.end * 3 <= most || !isRequestLine(tree)) return;
      const bytes = utf8Length(text.slice(tree.word.start));
      if (bytes <= most) return;
      report(
        draftLineIssue('aicf/body-too-long', line, tree.word, () => ({
          message: `The request has ${bytes} bytes, more than ${most}; send less, for running servers refuse it with HTTP 413`,
        })),
      );
    },
  };
};
