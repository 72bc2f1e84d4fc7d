import type { Middleware } from 'koa';
import type { SignInNotices } from './care/activity-review/sign-in-notices.ts';
import type { DataExportService } from './care/data-export/data-export.service.ts';
import type { LeavingService } from './care/leaving/leaving.service.ts';
import type { WaitingChangeService } from './care/settings/waiting-change.service.ts';
import { createServiceCounts, type ServiceCounts } from './desk/service/service-counts.ts';
import type { ProviderDirectory } from './federation/directory/provider-directory.ts';
import type { IdentityRevocationService } from './federation/revocation/identity-revocation.service.ts';
import { databaseNow } from './ground/db/clock.ts';
import { createEvents, type Events } from './ground/event/events.ts';
import type { LinkEndNotices } from './link/grant/link-end-notices.ts';
import type { Foundation } from './operation/wiring/foundation.ts';
import { wireHttp } from './operation/wiring/http.ts';
import { wireIdentity } from './operation/wiring/identity.ts';
import { wirePages } from './operation/wiring/pages.ts';
import { type WiredPictures, wirePictures } from './operation/wiring/pictures.ts';
import { type WiredProofs, wireProofs } from './operation/wiring/proofs.ts';
import { wireProtocol } from './operation/wiring/protocol.ts';
import { wireSignals } from './operation/wiring/signals.ts';
import { type WiredStorage, wireStorage } from './operation/wiring/storage.ts';
import { wireWords } from './operation/wiring/words.ts';
import type { RefusedSignIns } from './person/activity/refused-sign-ins.ts';
import type { HashCost } from './person/credential/password-hasher.ts';
import { isOfStandIn } from './person/stand-in/stand-in.ts';

export interface AppOptions extends Omit<Foundation, 'events' | 'now'> {
  /** Directory of the built SPA. */
  webDist: string;
  version: string;
  /** Prints a line for the person who started the server. */
  print: (line: string) => void;
  /** Default: the clock of the database. */
  now?: () => Date;
  /** Events of the process. Default: events of this app alone. */
  events?: Events;
  /** Measures each request. Default: nothing does. */
  meter?: Middleware | undefined;
  /** Storage that the process has wired; the app closes it. Default: the app wires its own. */
  storage?: WiredStorage;
  /** What a hash of a password costs. Default: what it costs people; no setting changes it. */
  hashCost?: HashCost;
}

export interface App
  extends Pick<
    WiredStorage,
    | 'clients'
    | 'developers'
    | 'registry'
    | 'registration'
    | 'registrationTokens'
    | 'clientHealth'
    | 'clientRecords'
    | 'resourceServers'
  > {
  /** Listens, and answers the port: another one than the configured port only where that is 0. */
  listen(): Promise<number>;
  /** Answers 503 at /readyz for `noticeMs`, stops accepting, finishes requests and messages, then resolves. */
  close(options?: { noticeMs?: number }): Promise<void>;
  logos: WiredPictures['logos'];
  waitingChanges: WaitingChangeService;
  signInNotices: SignInNotices;
  linkEndNotices: LinkEndNotices;
  refusedSignIns: Pick<RefusedSignIns, 'flush'>;
  leavings: Pick<LeavingService, 'carryOut'>;
  dataExports: Pick<DataExportService, 'prepareDue'>;
  serviceCounts: ServiceCounts;
  revocations: IdentityRevocationService;
  /** The identity providers that people may sign in with. */
  providers: ProviderDirectory;
  /** Counts of this process, for `operation/metrics/`. */
  counts: {
    events: Events['counts'];
    codes: WiredProofs['verification']['countCodes'];
    messages: WiredProofs['countMessages'];
    refreshes: WiredStorage['clientRecords']['refreshes'];
    hashing: WiredProofs['hasher']['counts'];
    changes: Pick<WiredStorage['changes'], 'isLive' | 'heardAgeSeconds'>;
    /** As /readyz answers it. */
    isReady(): Promise<boolean>;
  };
}

/** Wires the whole server together, each part from those before it. */
export const createApp = async (options: AppOptions): Promise<App> => {
  const { connection, logger, webDist, version, print, meter, reachProvider, hashCost } = options;
  const { events = createEvents(logger, isOfStandIn), now = databaseNow } = options;
  const ofFiles: Foundation = { config: options.config, logger, connection, events, now, reachProvider };
  const storage = options.storage ?? (await wireStorage(ofFiles));
  const words = await wireWords(ofFiles, storage, webDist);
  // From here on each brand speaks by the words in force.
  const config = { ...options.config, brands: words.brands };
  const foundation: Foundation = { ...ofFiles, config };
  const pictures = await wirePictures(foundation);
  const proofs = wireProofs({ ...foundation, print, hashCost });
  const pages = wirePages(config, webDist, words, pictures);
  const identity = await wireIdentity(foundation, storage, proofs, words);
  const protocol = await wireProtocol(foundation, storage, identity, proofs, pages);
  const signals = wireSignals(foundation, storage, protocol);
  const parts = { foundation, storage, words, pictures, proofs, identity, pages, protocol, signals };
  const http = wireHttp({ ...parts, version, meter });
  const serviceCounts = createServiceCounts(options.connection.db, {
    events: events.counts,
    codes: proofs.verification.countCodes,
    gateways: proofs.countGateways,
    ...storage.clientRecords,
  });
  return {
    clients: storage.clients,
    developers: storage.developers,
    registry: storage.registry,
    registration: storage.registration,
    registrationTokens: storage.registrationTokens,
    clientHealth: storage.clientHealth,
    clientRecords: storage.clientRecords,
    resourceServers: storage.resourceServers,
    logos: pictures.logos,
    waitingChanges: identity.waitingChanges,
    signInNotices: identity.signInNotices,
    linkEndNotices: identity.linkEndNotices,
    refusedSignIns: identity.refusedSignIns,
    leavings: identity.leavings,
    dataExports: identity.dataExports,
    serviceCounts,
    revocations: identity.federation.revocations,
    providers: identity.federation.directory,
    counts: {
      events: events.counts,
      codes: proofs.verification.countCodes,
      messages: proofs.countMessages,
      refreshes: storage.clientRecords.refreshes,
      hashing: proofs.hasher.counts,
      changes: storage.changes,
      isReady: http.isReady,
    },
    listen: http.listen,
    close: async ({ noticeMs = 0 } = {}) => {
      signals.letPollsGo();
      await http.close(noticeMs);
      await identity.refusedSignIns.flush().catch((err) => logger.warn({ err }, 'refused sign-ins are lost'));
      await Promise.all([proofs.close(), signals.close(), protocol.close(), pictures.close()]);
      await serviceCounts.flush().catch((err) => logger.warn({ err }, 'counts of the service are lost'));
      await words.close();
      await storage.close();
    },
  };
};
