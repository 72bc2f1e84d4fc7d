import { expect, test } from 'vitest';
import { codeOf } from './sources.ts';

const read = (text: string): string => codeOf({ path: 'a.ts', text }).trim();

test.each([
  ['// no', ''],
  ['a; // no', 'a;'],
  ['/* no */ a;', 'a;'],
  ['/**\n * no\n */\na;', 'a;'],
  [`a('//', "/*"); // no`, `a('//', "/*");`],
  [`a(\`//\${b ? \`"\` : 0}\`); // no`, `a(\`//\${b ? \`"\` : 0}\`);`],
  [`a(/[/"'\`]\\//); // no`, `a(/[/"'\`]\\//);`],
  [`a(/it's/); // no`, `a(/it's/);`],
])('the code of %j has no comments', (text, code) => {
  expect(read(text)).toBe(code);
});

test.each([
  `a('https://b', c);`,
  `a(\`https://\${b}\`, c);`,
  `a(\`https://\${b ? \`/*\` : 0}\`, c, '*/');`,
  'a(/https:[/]\\/[*"]/, c);',
  'a / b; c / d;',
  `a('it\\'s //', c);`,
])('the code of %j is all of it', (text) => {
  expect(read(text)).toBe(text);
});
