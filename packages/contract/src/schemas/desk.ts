import * as z from 'zod/mini';
import {
  type DeskAct,
  deskActNames,
  REASON_LENGTH,
  type RecordAction,
  recordActions,
  staffRoles,
} from '../rules/desk-acts.ts';
import { ActivityList, ActivityQuery } from './activity.ts';
import { Locale } from './locale.ts';
import { Authorization, EndedAuthorization, Session } from './session.ts';
import { Identifier } from './verification.ts';

const at = z.iso.datetime();
const ContactKind = z.enum(['phone', 'email']);
const cursor = z.optional(z.string().check(z.maxLength(200)));

/** Why somebody looks or acts: 1 to 500 characters, which are text and nothing else. */
export const Reason = z
  .string()
  .check(z.trim(), z.minLength(1, 'reason_blank'), z.maxLength(REASON_LENGTH, 'reason_too_long'));

/** The signed-in member of staff, and the session of the desk. */
export const DeskSession = z.object({
  account: z.object({ id: z.string(), nickname: z.string() }),
  role: z.enum(staffRoles),
  /** Absent: the desk is not open in this browser; `openDesk` opens it. */
  open: z.optional(
    z.object({
      startedAt: at,
      /** When it ends however often it is used: 8 hours after its start. */
      endsAt: at,
      /** When it ends unless it is used before: after 30 minutes. */
      idleEndsAt: at,
    }),
  ),
  /** What opens the desk: a second factor or a passkey (`mfa`), or a passkey alone (`phr`). */
  acr: z.enum(['mfa', 'phr']),
  /** How many searches and accounts may be looked at within this hour. */
  looksLeft: z.int(),
});
export type DeskSession = z.infer<typeof DeskSession>;

/** A phone in any spelling, an e-mail, an account id, the reference of an error page, a client's id or name. */
export const DeskSearch = z.strictObject({
  q: z.string().check(z.trim(), z.minLength(1, 'identifier_blank'), z.maxLength(320, 'identifier_invalid')),
});

/** What was found: `id` leads on. `label` of an account has masked contacts. */
export const DeskFound = z.object({
  kind: z.enum(['account', 'client', 'error']),
  id: z.string(),
  label: z.string(),
  /** What the app of an error page did, where `kind` is `error`: names of RFC 6749 and of `client_error`. */
  error: z.optional(
    z.object({
      clientId: z.string(),
      at,
      endpoint: z.string(),
      kind: z.string(),
      error: z.string(),
      reason: z.string(),
    }),
  ),
});
export type DeskFound = z.infer<typeof DeskFound>;
/** Exact matches only; an empty list is an answer. */
export const DeskFoundList = z.object({ items: z.array(DeskFound) });

/** A phone number or an e-mail address of the account, which has one of each kind at most. */
export const DeskContact = z.object({
  kind: ContactKind,
  masked: z.string(),
  /** Only after the agent typed what the caller told, or gave a reason; for 30 minutes. */
  identifier: z.optional(z.string()),
  boundSince: at,
  /** A check can go to it: it is bound for 72 hours. */
  provesCaller: z.boolean(),
  /** Since when the gateway refuses messages to it for good; absent: the last one was taken, or none was sent. */
  refusedSince: z.optional(at),
});
export type DeskContact = z.infer<typeof DeskContact>;

/** Why somebody cannot sign in, or what a sign-in asks besides; in the order in which a call asks. */
export const signInStates = [
  'disabled',
  'leaving',
  'password_tries',
  'factor_tries',
  'code_tries',
  'codes_spent',
  'recovery_waits',
  'factor_on',
  'no_password',
] as const;
export const SignInState = z.object({
  kind: z.enum(signInStates),
  /** It keeps the person out; the others say what is refused from some place, or asked besides. */
  blocks: z.boolean(),
  since: z.optional(at),
  /** When it ends by itself. */
  until: z.optional(at),
  /** Why the account is disabled, as whoever disabled it wrote. */
  reason: z.optional(z.string()),
  /** Which contact it is about. */
  contact: z.optional(ContactKind),
});
export type SignInState = z.infer<typeof SignInState>;

/** A message to a contact of the account. No answer has its text, or a code of it. */
export const DeskMessage = z.object({
  id: z.string(),
  at,
  /** What it was for: the purpose of a code (`login`, `recover`), or the name of a notice. */
  purpose: z.string(),
  channel: z.enum(['sms', 'email']),
  /** Masked. */
  to: z.string(),
  /** `taken`: the gateway took it; `refused`: it never will; `expired`: nobody took it in time. */
  state: z.enum(['waiting', 'taken', 'refused', 'expired']),
  settledAt: z.optional(at),
  tries: z.int(),
  /** What the gateway said when it last refused. */
  words: z.optional(z.string()),
});
export type DeskMessage = z.infer<typeof DeskMessage>;
export const DeskMessageList = z.object({ items: z.array(DeskMessage), next: z.optional(z.string()) });
export type DeskMessageList = z.infer<typeof DeskMessageList>;

/** What is known of who is calling. */
export const CallerCheck = z.object({
  /** `none`: nothing was asked; `asked`: an answer is due; `right`; `wrong`: no tries are left; `over`: too late. */
  state: z.enum(['none', 'asked', 'right', 'wrong', 'over']),
  way: z.optional(z.enum(['code', 'digits'])),
  /** The contact of a code, masked. */
  to: z.optional(z.string()),
  triesLeft: z.optional(z.int()),
  /** When an answer is too late; of a right one, until when it counts: 30 minutes. */
  until: z.optional(at),
  /** Two answers by digits were wrong within a day, whoever asked: only a code is left. */
  digitsSpent: z.optional(z.boolean()),
});
export type CallerCheck = z.infer<typeof CallerCheck>;

/** `digits`: two digits that the signed-in person reads at `/index`. */
export const StartCallerCheck = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('code'), contact: ContactKind }),
  z.strictObject({ way: z.literal('digits') }),
]);
export const AnswerCallerCheck = z.strictObject({
  answer: z.string().check(z.trim(), z.minLength(1, 'code_blank'), z.maxLength(64, 'code_incorrect')),
});

/** Why an act is off. */
export const actRefusals = ['role_insufficient', 'own_account', 'caller_unproven', 'nothing_to_do'] as const;
export const DeskActState = z.object({
  act: z.enum(deskActNames as [DeskAct, ...DeskAct[]]),
  /** Absent: it can be done. */
  off: z.optional(z.enum(actRefusals)),
});
export type DeskActState = z.infer<typeof DeskActState>;

/** A removal of a second factor at once, for which a second operator is asked. */
export const DeskApproval = z.object({
  id: z.string(),
  act: z.literal('remove-factor'),
  account: z.object({ id: z.string(), nickname: z.string() }),
  askedBy: z.object({ id: z.string(), nickname: z.string() }),
  askedAt: at,
  reason: z.string(),
  /** Until when it can be approved: 24 hours. */
  until: at,
  /** The asker cannot approve it. */
  own: z.boolean(),
});
export type DeskApproval = z.infer<typeof DeskApproval>;
export const DeskApprovalList = z.object({ items: z.array(DeskApproval) });
export const AnswerApproval = z.strictObject({ approve: z.boolean(), reason: Reason });

export const DeskNote = z.object({ at, by: z.string(), text: z.string() });
export type DeskNote = z.infer<typeof DeskNote>;

/** The account, in the order in which a call goes. */
export const DeskAccount = z.object({
  id: z.string(),
  nickname: z.string(),
  locale: Locale,
  createdAt: at,
  contacts: z.array(DeskContact),
  signIn: z.object({ can: z.boolean(), states: z.array(SignInState), lastAt: z.optional(at) }),
  messages: DeskMessageList,
  ways: z.object({
    password: z.optional(z.object({ changedAt: at })),
    passkeys: z.array(
      z.object({ id: z.string(), name: z.string(), createdAt: at, lastUsedAt: z.optional(at) }),
    ),
    factor: z.optional(z.object({ since: at, recoveryCodesLeft: z.int() })),
    /** Identity providers that open the account, by their id and brand; `closedAt`: opens nothing since then. */
    providers: z.optional(
      z.array(
        z.object({
          provider: z.string(),
          brand: z.string(),
          linkedAt: at,
          lastUsedAt: z.optional(at),
          closedAt: z.optional(at),
        }),
      ),
    ),
    /** Browsers that are not asked for the second factor. */
    trustedBrowsers: z.int(),
  }),
  sessions: z.array(Session),
  apps: z.array(Authorization),
  endedApps: z.array(EndedAuthorization),
  activity: ActivityList,
  caller: CallerCheck,
  acts: z.array(DeskActState),
  /** Waits for a second operator; absent: nothing does. */
  approval: z.optional(DeskApproval),
  /** The latest notes, newest first. */
  notes: z.array(DeskNote),
});
export type DeskAccount = z.infer<typeof DeskAccount>;

export const DeskActivityQuery = ActivityQuery;

/** What the caller told, as typed, which shows that contact alone; or a reason, which shows all. */
export const RevealContacts = z.union([
  z.strictObject({ identifier: Identifier }),
  z.strictObject({ reason: Reason }),
]);
export const RevealedContacts = z.object({ contacts: z.array(DeskContact) });

export const PlainAct = z.strictObject({ reason: Reason });
export const ContactAct = z.strictObject({ reason: Reason, contact: ContactKind });
/** `atOnce`: an operator asks a second one. Otherwise the factor goes with a recovery by this contact, after 72 hours. */
export const RemoveFactor = z.strictObject({
  reason: Reason,
  contact: ContactKind,
  atOnce: z.optional(z.boolean()),
});
export const WithdrawOne = z.strictObject({
  reason: Reason,
  authorization: z.string().check(z.maxLength(200)),
});

/** What was done. The caller reads the account anew. */
export const ActDone = z.object({
  /** The number of its entry in the record. */
  entry: z.int(),
  /** When it takes effect, or is over: of a removal, of a deletion. */
  at: z.optional(at),
  /** It waits for a second operator: the id of what is asked. */
  approval: z.optional(z.string()),
});
export type ActDone = z.infer<typeof ActDone>;

/** Who looked or acted: staff, or whoever runs the command line. */
export const RecordEntry = z.object({
  entry: z.int(),
  at,
  by: z.object({
    kind: z.enum(['staff', 'command']),
    /** The account of staff. */
    account: z.optional(z.string()),
    /** The nickname of staff at that time; of a command, the name of `--as`, else the user and host. */
    name: z.string(),
    role: z.optional(z.enum(staffRoles)),
  }),
  action: z.enum(recordActions as unknown as [RecordAction, ...RecordAction[]]),
  /** The account that it was about. */
  account: z.optional(z.string()),
  /** What else it was about: the authorization, the masked contact, the words of a search with contacts masked, the command. */
  subject: z.optional(z.string()),
  reason: z.optional(z.string()),
  /** The address of the browser; the host of a command. */
  from: z.string(),
  outcome: z.enum(['done', 'refused', 'right', 'wrong', 'found', 'nothing']),
  hash: z.string(),
});
export type RecordEntry = z.infer<typeof RecordEntry>;

/** `staff`: the account id of whoever acted. */
export const RecordQuery = z.strictObject({
  after: cursor,
  account: z.optional(z.string().check(z.maxLength(200))),
  staff: z.optional(z.string().check(z.maxLength(200))),
  action: z.optional(z.enum(recordActions as unknown as [RecordAction, ...RecordAction[]])),
});
export const RecordFileQuery = z.omit(RecordQuery, { after: true });
export const RecordList = z.object({ items: z.array(RecordEntry), next: z.optional(z.string()) });

/** The two digits that a signed-in person reads to whoever answers the phone; absent: nobody asked. */
export const CallerDigits = z.object({ digits: z.optional(z.string()), until: z.optional(at) });
export type CallerDigits = z.infer<typeof CallerDigits>;
