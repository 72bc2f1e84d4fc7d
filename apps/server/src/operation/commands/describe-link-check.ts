import type { LinkCheck, LinkCheckStep } from '@candela/contract';
import type { LinkCheckProblem, LinkCheckStepName } from '@candela/contract/rules/link-check';

const titles: Readonly<Record<LinkCheckStepName, string>> = {
  reach: 'the server answers at its address',
  issuer: 'the address is one that platforms take',
  link: 'a person links an account',
  redirect_uris: 'the same at the other redirect URIs of the platform',
  exchange: 'the code is exchanged for tokens',
  answer: 'the answer is as the platform takes it',
  code_again: 'the code comes again: it is refused, and the link lives on',
  refresh: 'the access token is refreshed',
  parallel_refresh: 'two refreshes come at once',
  lost_answer: 'the answer to a refresh is lost, and it comes again',
  timeout: 'the platform hangs up, and sends the refresh again',
  link_again: 'the account is linked again, and the first link lives on',
  later: 'the platform comes back after 60 days, and repeats that for 21 more',
  unlink: 'the platform ends the link',
};

type Found = Pick<LinkCheckStep, 'field' | 'value'>;

interface Advice {
  /** What the platform would have done. */
  effect: string;
  change(found: Found): string;
}

const set = ({ field, value }: Found) => `set ${field} to ${value}`;

const advices: Readonly<Record<LinkCheckProblem, Advice>> = {
  unreachable: {
    effect: 'The platform reaches no sign-in page.',
    change: ({ value }) =>
      `start the server ("npx pnpm@12 start"), or set PUBLIC_URL, or the origin of the brand, to where it is: ${value} was asked`,
  },
  issuer_not_https: {
    effect: 'The platform takes https alone. Its console refuses the addresses.',
    change: () => 'put a proxy with a certificate in front, and set PUBLIC_URL to its https address',
  },
  issuer_not_public: {
    effect: 'The platform reaches addresses of the Internet alone.',
    change: () => 'set PUBLIC_URL to the address that the Internet knows',
  },
  client_disabled: {
    effect: 'The person sees an error page, and every link of the client has ended.',
    change: () => 'enable the client ("candela client enable")',
  },
  client_not_known: {
    effect: 'The person sees an error page.',
    change: ({ value }) =>
      `have the server at ${value} and this command use the same database: that server does not know the client`,
  },
  redirect_uri_missing: {
    effect: 'The person sees an error page in place of the sign-in.',
    change: ({ value }) =>
      `add ${value ?? 'the address that the console of the platform shows'} to redirect_uris`,
  },
  scope_refused: {
    effect: 'The platform says that linking failed: nothing that it asks for can be granted.',
    change: set,
  },
  challenge_required: {
    effect: 'The platform says that linking failed: it sends no PKCE challenge.',
    change: set,
  },
  request_refused: {
    effect: 'The platform says that linking failed.',
    change: ({ value }) => `see why the server refused it: ${value}`,
  },
  answer_changed: {
    effect: 'The platform cannot tell whose answer this is, and says that linking failed.',
    change: ({ value }) => `have the proxy in front leave addresses as they are: it came to ${value}`,
  },
  authentication_refused: {
    effect:
      'The platform gets no tokens: it sends its id and secret otherwise than the client is registered to.',
    change: set,
  },
  exchange_refused: {
    effect: 'The platform gets no tokens, and says that linking failed.',
    change: ({ value }) => `see why the server refused it: ${value}`,
  },
  refresh_token_missing: {
    effect: 'The link ends with the first access token.',
    change: ({ field, value }) => `add ${value} to ${field}`,
  },
  lifetime_too_short: {
    effect: 'The platform refuses an access token that lives for less than 360 seconds.',
    change: ({ field, value }) => `set ${field} to 3600; it is ${value} now`,
  },
  answer_too_long: {
    effect: 'The platform drops an answer of more than 5000 characters.',
    change: ({ value }) =>
      `register fewer scopes, or set access_token_format of the API to opaque: the answer has ${value}`,
  },
  token_too_long: {
    effect: 'The platform drops a token of more than 2048 characters.',
    change: ({ value }) =>
      `register fewer scopes, or set access_token_format of the API to opaque: the token has ${value}`,
  },
  answer_too_slow: {
    effect: 'The platform hangs up after 4.5 seconds.',
    change: ({ value }) => `find what is slow, the database or the way to the server: it took ${value} ms`,
  },
  code_taken_twice: {
    effect: 'Whoever reads a code gets tokens by it.',
    change: () => 'report it: a code must work once',
  },
  code_ended_link: {
    effect: 'A link ends as soon as the platform sends a request again.',
    change: ({ field }) => `leave ${field} out of the registration`,
  },
  refresh_refused: {
    effect: 'The home is unlinked, and its person has to link it again.',
    change: ({ value }) => `see why the server refused it: ${value}`,
  },
  repeat_refused: {
    effect: 'The home is unlinked after one answer that was lost, or one request that was sent twice.',
    change: set,
  },
  link_ended_early: {
    effect: 'The home is unlinked while its person is away.',
    change: (found) => (found.value === '-' ? `leave ${found.field} out` : set(found)),
  },
  link_survives: {
    effect: 'The platform shows the account as unlinked, and its refresh token works on.',
    change: set,
  },
};

const marks = { passed: 'ok     ', warned: 'warning', failed: 'FAILED ', skipped: 'skipped' } as const;

/** A step of a check as people read it: its outcome, what was sent and came, and what to do. */
export const describeLinkStep = (step: LinkCheckStep): string[] => {
  const { outcome, exchanges, problem } = step;
  const advice = problem && advices[problem];
  return [
    `${marks[outcome]} ${titles[step.step]}`,
    ...exchanges.flatMap(({ sent, came }) => [`        > ${sent}`, `        < ${came}`]),
    ...(advice ? [`        ${advice.effect}`, `        To change: ${advice.change(step)}.`] : []),
  ];
};

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The last line of a check. */
export const describeLinkCheck = ({ platform, issuer, passed, steps }: LinkCheck): string => {
  const failed = steps.filter(({ outcome }) => outcome === 'failed').length;
  const warned = steps.filter(({ outcome }) => outcome === 'warned').length;
  const came = passed ? 'links work' : `${count(failed, 'step')} failed`;
  return `${platform} at ${issuer}: ${came}${warned > 0 ? `, ${count(warned, 'warning')}` : ''}`;
};
