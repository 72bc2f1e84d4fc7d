import { isStorable } from '../../ground/db/storable-text.ts';
import { AppError } from '../../ground/errors.ts';
import { faultOfOutboundUri, type OutboundRules } from '../../ground/outbound/outbound-request.ts';
import { seal } from '../../ground/seal.ts';
import { readServiceAccount } from './service-account.ts';
import {
  type Delivery,
  namesOfEvents,
  POLL,
  type Stream,
  type StreamDraft,
  supportedEvents,
} from './stream.ts';
import { turnOverSecret } from './webhook-secret.ts';

type DeliveryColumns = Pick<
  Stream,
  | 'delivery_method'
  | 'endpoint_url'
  | 'authorization_header_sealed'
  | 'webhook_secrets_sealed'
  | 'service_account_sealed'
>;
type EventColumns = Pick<Stream, 'events_requested'>;
type DescriptionColumns = Pick<Stream, 'description'>;
type Columns = DeliveryColumns & EventColumns & DescriptionColumns;

export interface StreamColumnsOptions {
  /** The first seals. */
  keys: readonly [Buffer, ...Buffer[]];
  outboundRules: OutboundRules;
  now(): Date;
}

const MOST_EVENTS = 100;
const MOST_CHARACTERS = 2_048;
/** RFC 9110 section 5.5: visible characters, spaces and tabs. */
const HEADER = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws AppError uri_invalid, uri_too_long, uri_not_https, uri_host_refused */
const requireEndpoint = (uri: string | undefined, rules: OutboundRules): string => {
  const refuse = (code: 'uri_invalid' | 'uri_too_long' | 'uri_not_https' | 'uri_host_refused') =>
    new AppError(code, { fields: { endpointUrl: code } });
  const url = uri !== undefined && isStorable(uri) ? URL.parse(uri) : null;
  if (uri === undefined || !url || url.hash) throw refuse('uri_invalid');
  if (uri.length > MOST_CHARACTERS) throw refuse('uri_too_long');
  if (!faultOfOutboundUri(uri, rules)) return uri;
  throw refuse(url.protocol === 'https:' ? 'uri_host_refused' : 'uri_not_https');
};

const refuseField = (field: string) =>
  new AppError('value_invalid', { fields: { [field]: 'value_invalid' } });

/**
 * The columns that say how a stream hands over. A change of the method makes a webhook's first secret; `before` is the
 * stream as it was.
 * @throws AppError uri_invalid, uri_too_long, uri_not_https, uri_host_refused, value_invalid
 */
const columnsOfDelivery = (
  { method, endpointUrl, authorizationHeader, serviceAccount }: Delivery,
  before: Stream | undefined,
  { keys, outboundRules, now }: StreamColumnsOptions,
): DeliveryColumns => {
  if (authorizationHeader !== undefined && !isHeader(authorizationHeader))
    throw refuseField('authorizationHeader');
  if (serviceAccount !== undefined && !readServiceAccount(serviceAccount, outboundRules))
    throw refuseField('serviceAccount');
  const secrets = before?.webhook_secrets_sealed ?? null;
  return {
    delivery_method: method,
    endpoint_url: method === POLL ? null : requireEndpoint(endpointUrl, outboundRules),
    authorization_header_sealed: authorizationHeader ? seal(keys[0], authorizationHeader) : null,
    webhook_secrets_sealed:
      method === 'webhook' ? (secrets ?? turnOverSecret(keys, null, now()).sealed) : null,
    service_account_sealed: serviceAccount === undefined ? null : seal(keys[0], serviceAccount),
  };
};

const isHeader = (value: string) => value.length <= MOST_CHARACTERS && HEADER.test(value);

const columnsOfEvents = (events: readonly string[] | undefined): EventColumns => {
  if (events && (events.length > MOST_EVENTS || events.some((event) => !isEvent(event))))
    throw refuseField('events');
  return { events_requested: events ? namesOfEvents(events) : supportedEvents };
};

const isEvent = (event: string) => event.length <= 300 && isStorable(event);

const columnsOfDescription = (description: string | undefined): DescriptionColumns => {
  if (description !== undefined && !isStorable(description)) throw refuseField('description');
  return { description: description?.slice(0, 500) ?? null };
};

/** What a draft writes, all of it; what it leaves out is as in a stream that is new. @throws as `columnsOfDelivery` */
export const columnsOfDraft = (
  { delivery, events, description }: StreamDraft,
  before: Stream | undefined,
  options: StreamColumnsOptions,
): Columns => ({
  ...columnsOfDelivery(delivery, before, options),
  ...columnsOfEvents(events),
  ...columnsOfDescription(description),
});

/** What a change writes: what it leaves out stays. @throws as `columnsOfDelivery` */
export const columnsOfChange = (
  { delivery, events, description }: Partial<StreamDraft>,
  before: Stream,
  options: StreamColumnsOptions,
): Partial<Columns> => {
  const columns: Partial<Columns> = {
    ...(delivery && columnsOfDelivery(delivery, before, options)),
    ...(events && columnsOfEvents(events)),
    ...(description !== undefined && columnsOfDescription(description)),
  };
  // The header goes to nobody but the endpoint that it was given for.
  const keepsHeader =
    delivery?.method === before.delivery_method &&
    delivery.authorizationHeader === undefined &&
    columns.endpoint_url === before.endpoint_url;
  return keepsHeader
    ? { ...columns, authorization_header_sealed: before.authorization_header_sealed }
    : columns;
};
