import type { MessageQueueOptions } from './message-queue.ts';
import { createOutbox, type OutboxOptions } from './outbox.ts';
import { createSmsWebhook } from './sms-webhook.ts';
import { createSmtpSender, type SmtpOptions } from './smtp.ts';

export interface GatewayOptions extends OutboxOptions {
  mail: SmtpOptions | undefined;
  sms: { url: string; secret: string } | undefined;
}

/** The sender of each channel: the configured gateway, or the outbox where there is none. */
export const createGateways = ({ mail, sms, ...outbox }: GatewayOptions): MessageQueueOptions['senders'] => {
  const local = { sender: createOutbox(outbox), isLocal: true };
  return {
    email: mail ? { sender: createSmtpSender(mail), isLocal: false } : local,
    sms: sms ? { sender: createSmsWebhook({ ...sms, now: outbox.now }), isLocal: false } : local,
  };
};
