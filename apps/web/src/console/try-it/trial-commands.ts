import {
  addressOf,
  basicCredentials,
  headersOf,
  paramsOf,
  SECRET_VARIABLE,
  type TrialRequest,
} from './trial-request.ts';

/** A word of a POSIX shell, quoted. A variable in it is still replaced. */
const shellWord = (text: string): string =>
  text.includes(SECRET_VARIABLE)
    ? `"${text.replaceAll(/["\\`]/g, '\\$&')}"`
    : /^[\w./:=@%+,-]+$/.test(text)
      ? text
      : `'${text.replaceAll("'", `'\\''`)}'`;

/** The secret as a variable: nobody pastes a secret into a command by accident. */
const named = (clientId: string) => ({ clientId, secret: SECRET_VARIABLE });

/** The request as a command of curl. The client secret is the variable CLIENT_SECRET of the shell. */
export const toCurl = (request: TrialRequest, issuer: string, clientId: string): string => {
  const secrets = named(clientId);
  const lines = [`curl ${shellWord(addressOf(request, issuer, secrets))}`];
  if (request.proof === 'basic') lines.push(`-u ${shellWord(`${clientId}:${SECRET_VARIABLE}`)}`);
  if (request.proof === 'bearer')
    lines.push(`-H ${shellWord(`Authorization: Bearer ${request.accessToken ?? ''}`)}`);
  if (request.method === 'POST')
    for (const [name, value] of Object.entries(paramsOf(request, secrets)))
      lines.push(`--data-urlencode ${shellWord(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
};

const literal = (text: string): string =>
  text === SECRET_VARIABLE ? 'process.env.CLIENT_SECRET!' : `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** The request as a program of TypeScript with `fetch`, for Node 20 and later. */
export const toTypeScript = (request: TrialRequest, issuer: string, clientId: string): string => {
  const secrets = named(clientId);
  const options: string[] = [];
  if (request.method === 'POST') options.push("  method: 'POST',");
  if (request.proof === 'basic')
    options.push(
      '  headers: {',
      `    authorization: \`Basic \${btoa(\`${basicCredentials({ clientId, secret: '' })}\${encodeURIComponent(process.env.CLIENT_SECRET!)}\`)}\`,`,
      '  },',
    );
  else if (request.proof === 'bearer')
    options.push(
      `  headers: { authorization: ${literal(headersOf(request, secrets).authorization ?? '')} },`,
    );
  if (request.method === 'POST')
    options.push(
      '  body: new URLSearchParams({',
      ...Object.entries(paramsOf(request, secrets)).map(([name, value]) => `    ${name}: ${literal(value)},`),
      '  }),',
    );
  const address = literal(addressOf(request, issuer, secrets));
  const call = options.length > 0 ? `fetch(${address}, {\n${options.join('\n')}\n})` : `fetch(${address})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.json());`;
};
