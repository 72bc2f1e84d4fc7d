import * as z from 'zod/mini';
import { serviceSpans } from '../rules/service-spans.ts';
import {
  ClientErrorQuery,
  ClientHealth,
  ClientListItem,
  ClientMembers,
  clientSources,
  RegisteredClient,
} from './client.ts';
import { Reason } from './desk.ts';

const at = z.iso.datetime();
const count = z.int();

export const ServiceQuery = z.strictObject({ span: z.optional(z.enum(serviceSpans)) });

/** A process that serves, or was killed within the last five minutes. */
const ServingProcess = z.object({
  id: z.string(),
  /** Absent: of a release that does not say. */
  version: z.optional(z.string()),
  host: z.optional(z.string()),
  startedAt: z.optional(at),
  seenAt: at,
});

/** How the service fares. What a process has counted is here within a minute. */
export const DeskService = z.object({
  at,
  processes: z.array(ServingProcess),
  database: z.object({
    kind: z.enum(['postgresql', 'embedded']),
    version: z.string(),
    /** The last migration. */
    schema: z.string(),
    /** How long it took to answer. */
    milliseconds: z.number(),
  }),
  /** What waits in the database; 10,000 stands for more. */
  backlog: z.object({
    queues: z.array(z.object({ queue: z.string(), due: count, oldestSeconds: z.number() })),
    /** Streams of signals whose receivers take nothing. */
    failingStreams: count,
  }),
  span: z.enum(serviceSpans),
  /** Steps of the same length, the oldest first, each of them present; `at` is the start of one. */
  steps: z.array(
    z.object({
      at,
      signIns: z.object({ succeeded: count, refused: count, registered: count }),
      codes: z.object({ sent: count, used: count }),
      messages: z.object({ taken: count, failed: count, refused: count }),
      links: z.object({ made: count, refreshed: count, ended: count }),
    }),
  ),
  /** Refused sign-ins of the span by the code of the refusal, the commonest first. */
  refusals: z.array(z.object({ reason: z.string(), count })),
  /**
   * Messages of the span by gateway and country, the most failures first. `failed`: a try after which another one
   * follows; `refused`: a message that the gateway never takes. Many codes that nobody uses: somebody pumps messages.
   */
  gateways: z.array(
    z.object({
      channel: z.enum(['sms', 'email']),
      /** The calling code, such as `49`; absent of e-mail. */
      callingCode: z.optional(z.string()),
      taken: count,
      failed: count,
      refused: count,
      codesSent: count,
      codesUsed: count,
    }),
  ),
  /** Links of the span by platform: the preset of the app, or `other`. At most 100,000 ended ones are counted. */
  platforms: z.array(z.object({ platform: z.string(), made: count, refreshed: count, ended: count })),
});
export type DeskService = z.infer<typeof DeskService>;

/** `source`: `dynamic` and `document` are registrations by assistants and other apps themselves. */
export const DeskClientsQuery = z.strictObject({
  after: z.optional(z.string().check(z.maxLength(200))),
  source: z.optional(z.enum(clientSources)),
});
export const DeskClientList = z.object({
  items: z.array(z.extend(ClientListItem, { source: z.enum(clientSources) })),
  next: z.optional(z.string()),
});
export type DeskClientList = z.infer<typeof DeskClientList>;

/** A client with how it fares, and who manages it. */
export const DeskClient = z.object({
  client: RegisteredClient,
  health: ClientHealth,
  members: ClientMembers.shape.items,
});
export type DeskClient = z.infer<typeof DeskClient>;

export const DeskClientErrorQuery = z.omit(ClientErrorQuery, { reference: true });

/** What was done, by the number of its entry in the record. */
export const DeskDone = z.object({ entry: z.int() });

/** Somebody who asks to register clients. */
export const DeskDeveloperRequest = z.object({
  account: z.object({ id: z.string(), nickname: z.string() }),
  /** Masked. */
  identifiers: z.array(z.string()),
  why: z.string(),
  askedAt: at,
});
export type DeskDeveloperRequest = z.infer<typeof DeskDeveloperRequest>;
export const DeskDeveloperRequestList = z.object({ items: z.array(DeskDeveloperRequest) });
export const AnswerDeveloperRequest = z.strictObject({ approve: z.boolean(), reason: Reason });

/** Why somebody wants to register clients, as they write it: 1 to 500 characters. */
export const AskForAccess = z.strictObject({ why: Reason });

/** Whether the person may register clients, or asked to. `none`: nothing was asked. */
export const DeveloperAccess = z.object({
  state: z.enum(['none', 'waiting', 'refused', 'allowed']),
  /** Whether there is anybody at the desk who answers. */
  canAsk: z.boolean(),
  askedAt: z.optional(at),
  /** Of a refused one: when it can be asked again. */
  until: z.optional(at),
});
export type DeveloperAccess = z.infer<typeof DeveloperAccess>;
