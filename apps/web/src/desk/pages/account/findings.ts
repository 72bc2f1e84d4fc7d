import type {
  Activity,
  Authorization,
  DeskAccount,
  DeskAct,
  DeskContact,
  EndedAuthorization,
} from '@candela/contract';
import type { Tone } from '../../components/note.tsx';

type SignInState = DeskAccount['signIn']['states'][number];

/** Something that a call may be about: what is the case, and the act that answers it. */
export type Finding = { key: string; tone: Tone; act?: DeskAct } & (
  | { kind: 'state'; state: SignInState }
  | { kind: 'refused'; contact: DeskContact; since: string }
  | { kind: 'ended'; app: EndedAuthorization }
  | { kind: 'quiet'; app: Authorization; since: string }
  | { kind: 'newBrowser'; activity: Activity }
  | { kind: 'codes'; count: number }
  | { kind: 'approval'; approval: NonNullable<DeskAccount['approval']> }
);

const DAY_MS = 86_400_000;
/** For how long what happened may be what a call is about. */
const RECENT_MS = 7 * DAY_MS;
/** So many codes in a day are more than a person needs who gets each of them. */
const MANY_CODES = 3;

const codePurposes: ReadonlySet<string> = new Set(['login', 'register', 'recover']);

const answers: Partial<Record<SignInState['kind'], DeskAct>> = {
  disabled: 'enable',
  leaving: 'keep',
  password_tries: 'lift-limits',
  factor_tries: 'lift-limits',
  code_tries: 'lift-limits',
  recovery_waits: 'stop-removal',
};

const isCalm = ({ kind }: SignInState): boolean => kind === 'factor_on' || kind === 'no_password';

const ofState = (state: SignInState): Finding => {
  const act = answers[state.kind];
  const tone = state.blocks ? 'bad' : isCalm(state) ? 'calm' : 'warns';
  return { kind: 'state', key: state.kind, tone, state, ...(act && { act }) };
};

const ofContact = (contact: DeskContact): Finding[] =>
  contact.refusedSince
    ? [
        {
          kind: 'refused',
          key: `refused ${contact.kind}`,
          tone: 'warns',
          act: 'check-contact',
          contact,
          since: contact.refusedSince,
        },
      ]
    : [];

const ofApps = ({ apps, endedApps }: DeskAccount, isRecent: (at: string) => boolean): Finding[] => [
  ...endedApps
    .filter(({ endedAt, link }) => isRecent(endedAt) && link.endedBecause !== 'withdrawn')
    .map((app): Finding => ({ kind: 'ended', key: `ended ${app.id}`, tone: 'warns', app })),
  ...apps.flatMap((app): Finding[] => {
    const since = app.link?.lastRefreshAt;
    return app.link?.state === 'quiet' && since
      ? [{ kind: 'quiet', key: `quiet ${app.id}`, tone: 'calm', app, since }]
      : [];
  }),
];

const ofActivity = ({ activity }: DeskAccount, isRecent: (at: string) => boolean): Finding[] => {
  const found = activity.items.find(
    ({ kind, at, disputedAt }) => kind === 'new_browser' && !disputedAt && isRecent(at),
  );
  return found
    ? [{ kind: 'newBrowser', key: 'newBrowser', tone: 'warns', act: 'end-sessions', activity: found }]
    : [];
};

const ofMessages = ({ messages }: DeskAccount, now: number): Finding[] => {
  const count = messages.items.filter(
    ({ purpose, at }) => codePurposes.has(purpose) && Date.parse(at) > now - DAY_MS,
  ).length;
  return count >= MANY_CODES ? [{ kind: 'codes', key: 'codes', tone: 'calm', count }] : [];
};

/** What the first line says: whether the person can sign in, or can in some ways only. */
export const verdictOf = ({ signIn: { can, states } }: DeskAccount): 'can' | 'canPartly' | 'cannot' => {
  if (!can) return 'cannot';
  return states.some(({ kind }) => kind.endsWith('_tries') || kind === 'codes_spent') ? 'canPartly' : 'can';
};

const tones: readonly Tone[] = ['bad', 'warns', 'calm'];

/** What the call may be about, the most pressing first. `now` is the server's, in milliseconds. */
export const findingsOf = (account: DeskAccount, now: number): Finding[] => {
  const isRecent = (at: string) => Date.parse(at) > now - RECENT_MS;
  const { signIn, contacts, approval } = account;
  const found: Finding[] = [
    ...signIn.states.filter((state) => !isCalm(state)).map(ofState),
    ...contacts.flatMap(ofContact),
    ...ofApps(account, isRecent),
    ...ofActivity(account, isRecent),
    ...ofMessages(account, now),
    ...(approval ? [{ kind: 'approval', key: 'approval', tone: 'warns', approval } as const] : []),
    ...signIn.states.filter(isCalm).map(ofState),
  ];
  return found.sort((one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone));
};
