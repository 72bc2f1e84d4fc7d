import type { LinkCheck, LinkCheckStep } from '@candela/contract';
import type { PlatformPreset } from '@candela/contract/rules/client-presets';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import { listClientsOf } from '../../clients/client/client.repository.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createLease } from '../../ground/lease/lease.ts';
import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { ageLinksOfStandIn } from '../../link/oidc-model/stand-in-links.repository.ts';
import { isDeveloper, requireRole } from '../client-registry/access.ts';
import { toStep } from './course.ts';
import { createCourse, findResource } from './create-course.ts';
import { findPlatform } from './find-platform.ts';
import { judgeIssuer, reach } from './linking-steps.ts';
import { createMasks } from './masks.ts';
import { attempt, play } from './play.ts';
import { makeStandIn, removeStandIn, type StandInOptions } from './stand-in.service.ts';
import { createVisitor } from './visitor.ts';

const HOUR_SECONDS = 3_600;
/** How many checks of one client there may be in an hour. */
const CHECKS_PER_HOUR = 20;
/** How long a check may take in all, in milliseconds. */
const CHECK_MS = 10_000;
/** A check whose process died is over after these. */
const LEASE_SECONDS = 60;

interface Place {
  id: string;
  origin: string;
}

export interface LinkCheckOptions extends StandInOptions {
  db: Kysely<Database>;
  clients: ClientService;
  resourceServers: ResourceServerService;
  /** The brands that are served; the first is the default. */
  brands: readonly Place[];
  events: EventSink;
}

interface CheckRequest {
  /** The brand at which to check a client that several have, by its id. */
  brand?: string | undefined;
  /** Hears of each step as soon as it is done. */
  onStep?(step: LinkCheckStep): void;
}

/** Plays the platforms of clients against the running server. */
export interface LinkChecks {
  /**
   * Plays the platform of a client over HTTP, with a copy of its registration that ends with the check. Nothing of the
   * client, its links or its people is touched.
   * @throws AppError not_found; operator_required where a developer asks about the brand's own client; not_of_platform;
   * rate_limited; link_check_running
   */
  check(actor: Actor, id: string, request?: CheckRequest): Promise<LinkCheck>;
}

/** What is checked, and where. */
interface Subject {
  row: ClientRow;
  platform: PlatformPreset;
  place: Place;
}

/** Plays in full, over a stand-in that ends with it. */
async function* run(
  options: LinkCheckOptions,
  { row, platform, place }: Subject,
): AsyncGenerator<LinkCheckStep, void, undefined> {
  const { db, clients } = options;
  const { origin: issuer } = place;
  // The address is the server's own, wherever it is.
  const request = createOutboundRequest({ privateHosts: [new URL(issuer).host], plainAtPrivateHosts: true });
  const deadline = AbortSignal.timeout(CHECK_MS);
  const common = {
    issuer,
    masks: createMasks(),
    visitor: createVisitor(issuer, request, deadline),
    browser: createVisitor(issuer, request, deadline),
    interactions: [],
  };
  const reached = await attempt(common, () => reach(common));
  yield toStep('reach', reached);
  if (!reached.held) return;
  yield toStep('issuer', judgeIssuer(common));
  const standIn = await makeStandIn(options, row);
  try {
    const resource = await findResource(options.resourceServers, place.id, row);
    const age = (days: number) => ageLinksOfStandIn(db, standIn.id, days);
    yield* play(createCourse({ row, platform, standIn, resource, age }, common));
  } finally {
    await removeStandIn(db, standIn.id, common.interactions);
    clients.forget(standIn.id);
  }
}

export const createLinkChecks = (options: LinkCheckOptions): LinkChecks => {
  const { db, brands, events, now } = options;

  const requireClient = async (actor: Actor, id: string): Promise<ClientRow> => {
    const [row] = await listClientsOf(db, [id]);
    await requireRole(db, actor, row);
    if (!row) throw new AppError('not_found');
    if (row.first_party && isDeveloper(actor)) throw new AppError('operator_required');
    return row;
  };

  const placeOf = ({ brand }: ClientRow, asked: string | undefined): Place => {
    const place = brands.find(({ id }) => id === (brand ?? asked)) ?? brands[0];
    if (!place) throw new Error('no brand is served');
    return place;
  };

  return {
    check: async (actor, id, { brand, onStep } = {}) => {
      const row = await requireClient(actor, id);
      const platform = findPlatform(row.metadata);
      if (!platform) throw new AppError('not_of_platform');
      const place = placeOf(row, brand);
      const lease = createLease(db, { name: `link check ${id}`, seconds: LEASE_SECONDS });
      const steps = await lease.hold(async () => {
        const limit = { key: `link_checks ${id}`, limit: CHECKS_PER_HOUR, windowSeconds: HOUR_SECONDS };
        await requireRateLimits(db, [limit], now(), events);
        const done: LinkCheckStep[] = [];
        for await (const step of run(options, { row, platform, place })) {
          done.push(step);
          onStep?.(step);
        }
        return done;
      });
      if (!steps) throw new AppError('link_check_running');
      const passed = steps.every(({ outcome }) => outcome === 'passed' || outcome === 'warned');
      return { platform, issuer: place.origin, passed, steps };
    },
  };
};
