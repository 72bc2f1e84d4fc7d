import type { RegisteredClient } from '@candela/contract';
import { platformPresets } from '@candela/contract/rules/client-presets';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../flow/components/phrase.tsx';
import { Tabs } from '../../flow/components/tabs.tsx';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { Link } from '../../shell/navigation/link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { DocsLink } from '../docs-link.tsx';
import { sectionOf } from '../page-of.ts';
import { protectionOf } from '../protection.ts';
import { remembered } from '../remembered.ts';
import { Section } from '../section.tsx';
import { fillIn, type Stack, stacksFor } from '../snippets/snippets.ts';
import { randomValue } from '../try-it/pkce.ts';
import { deviceAuthorizationRequest, scopeOf, tokenRequest } from '../try-it/trial.ts';
import { toCurl } from '../try-it/trial-commands.ts';
import { Fact, FactList } from './fact.tsx';
import styles from './snippets.module.css';

const chosenStack = remembered('candela.stack');

/** Says that the program returns to an address that the client has not registered. */
const MissingAddress = ({ client, uri }: { client: RegisteredClient; uri: string }) => {
  const { t } = useTranslation('developers');
  return (
    <>
      <p className={styles.note}>
        {t('snippets.missing')}{' '}
        <Link to={sectionOf(client.client_id, 'addresses')}>{t('trouble.toAddresses')}</Link>
      </p>
      <CodeBlock text={uri} label={t('newClient.uris')} />
    </>
  );
};

const Program = ({ client, stack }: { client: RegisteredClient; stack: Stack }) => {
  const { t } = useTranslation('developers');
  const { data: page } = useQuery({
    queryKey: ['documentation', stack.page],
    queryFn: async () => (await stack.load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const sessionSecret = useMemo(randomValue, []);
  if (page === undefined) return <Skeleton heights={[280]} />;
  const values = {
    issuer: location.origin,
    clientId: client.client_id,
    redirectUris: client.redirect_uris,
    postLogoutRedirectUri: client.post_logout_redirect_uris[0],
    sessionSecret,
  };
  const { files, environment, commands, missingRedirectUri } = fillIn(page, values, stack.hasFixedPath);
  return (
    <>
      {missingRedirectUri !== undefined && <MissingAddress client={client} uri={missingRedirectUri} />}
      {environment && <CodeBlock named text={environment} label=".env" />}
      {files.map(({ name, text }) => (
        <CodeBlock key={name} named text={text} label={name} />
      ))}
      <CodeBlock named text={commands} label={t('snippets.commands')} />
      <p className={styles.note}>
        <Phrase text={(page) => t('snippets.page', { page })}>
          <DocsLink to={stack.page.replace('.md', '')}>{stack.label}</DocsLink>
        </Phrase>
      </p>
    </>
  );
};

const Programs = ({ client, stacks }: { client: RegisteredClient; stacks: readonly Stack[] }) => {
  const { t } = useTranslation('developers');
  const [chosen, setChosen] = useState(chosenStack.read);
  const stack = stacks.find(({ id }) => id === chosen) ?? stacks[0];
  if (!stack) return null;
  return (
    <>
      {stacks.length > 1 && (
        <div className={styles.stacks}>
          <Tabs
            label={t('snippets.stack')}
            tabs={stacks.map(({ id, label }) => ({ value: id, label }))}
            value={stack.id}
            panel="snippet-panel"
            onChange={(id) => {
              setChosen(id);
              chosenStack.write(id);
            }}
          />
        </div>
      )}
      <div
        className={styles.panel}
        id="snippet-panel"
        {...(stacks.length > 1 && { role: 'tabpanel', 'aria-labelledby': `tab-${stack.id}` })}
      >
        <Program client={client} stack={stack} />
      </div>
    </>
  );
};

/** The requests themselves, for a client that has no library among the pages. */
const Requests = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const held = { verifier: '', challenge: '', state: '', nonce: '' };
  const isDevice = !client.grant_types.includes('client_credentials');
  const requests = isDevice
    ? [
        deviceAuthorizationRequest(client),
        tokenRequest(client, { ...held, deviceCode: 'DEVICE_CODE' }, location.origin),
      ]
    : [tokenRequest(client, held, location.origin)];
  return (
    <>
      <p className={styles.note}>{t('snippets.direct')}</p>
      {requests.map((request) => (
        <CodeBlock
          key={request.path}
          label={request.path}
          text={toCurl(request, location.origin, client.client_id)}
        />
      ))}
      <p className={styles.note}>
        {isDevice ? (
          <DocsLink to="devices#how-does-a-device-sign-a-person-in">{t('documentation.title')}</DocsLink>
        ) : (
          <DocsLink to="apis#how-does-a-machine-get-tokens">{t('documentation.title')}</DocsLink>
        )}
      </p>
    </>
  );
};

/** What a developer enters at the platform. */
const PlatformValues = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const values: readonly [string, string][] = [
    [t('snippets.values.clientId'), client.client_id],
    [t('snippets.values.authorizationUrl'), `${location.origin}/oauth/authorize`],
    [t('snippets.values.tokenUrl'), `${location.origin}/oauth/token`],
    [t('snippets.values.scopes'), scopeOf(client)],
    [t('snippets.values.authentication'), client.token_endpoint_auth_method],
  ];
  return (
    <>
      <p className={styles.note}>{t('snippets.platform')}</p>
      <FactList>
        {values.map(([name, value]) => (
          <Fact key={name} label={name} copy={value} />
        ))}
      </FactList>
      <p className={styles.note}>
        <DocsLink to={`platforms#${client.preset}`}>{t('documentation.title')}</DocsLink>
      </p>
    </>
  );
};

/** Programs with the values of this client. */
export const Snippets = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const stacks = stacksFor(client.preset);
  const text = t(protectionOf(client) === 'secret' ? 'snippets.text' : 'snippets.textWithoutSecret');
  const isPlatform = platformPresets.some((preset) => preset === client.preset);
  return (
    <Section name="snippets" text={isPlatform ? '' : text}>
      {isPlatform && <PlatformValues client={client} />}
      {!isPlatform && stacks.length > 0 && <Programs client={client} stacks={stacks} />}
      {!isPlatform && stacks.length === 0 && <Requests client={client} />}
    </Section>
  );
};
