import type { InteractionDetails } from '@candela/contract';
import type { ComponentProps } from 'react';
import { bring } from '../../shell/bring.ts';
import { ChunkBoundary } from '../../shell/chunk/chunk-boundary.tsx';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { partWithTexts } from '../../shell/part-with-texts.ts';
import type { ProviderPartProps } from './provider-part.tsx';

/** With its height in pixels until it has loaded. */
type PlacedPart = ProviderPartProps & { height: number };

const LatePart = partWithTexts<PlacedPart>(
  'providers',
  async () => (await bring(() => import('./provider-part.tsx'))).ProviderPart,
  ({ height }) => <Skeleton heights={[height]} />,
);
const LateArrival = partWithTexts(
  'providers',
  async () => (await bring(() => import('./new-arrival.tsx'))).NewArrival,
  () => <Skeleton heights={[36, 74, 72, 48]} />,
);

/** A part of the form that is about providers. A block of `height` pixels keeps its place until it has loaded. */
export const ProviderPart = (props: PlacedPart) => (
  <ChunkBoundary>
    <LatePart {...props} />
  </ChunkBoundary>
);

/** The screen of who came from a provider and has no account. */
export const NewArrival = (props: ComponentProps<typeof LateArrival>) => (
  <ChunkBoundary>
    <LateArrival {...props} />
  </ChunkBoundary>
);

/** As many providers are shown whole. Of more a few, with a button for the others. */
const WHOLE = 4;
const FEW = 3;
/** The heights of a button with its gap, of a second line in it, and of the button for the others. */
const BUTTON = 56;
const LINE = 8;
const MORE = 48;

interface ProvidersProps {
  uid: string;
  details: InteractionDetails;
}

/**
 * The brand’s identity providers, below the form that most people use. Nothing is shown, and nothing loads, where it has
 * none. Who came from a provider is not sent there again.
 */
export const Providers = ({ uid, details }: ProvidersProps) => {
  const providers = details.providers?.filter(({ id }) => id !== details.provider?.id) ?? [];
  const isMany = providers.length > WHOLE;
  const few = isMany ? FEW : providers.length;
  const height = few * BUTTON + (providers[0]?.last ? LINE : 0) + (isMany ? MORE : 0);
  return few > 0 && <ProviderPart part="list" height={height} uid={uid} providers={providers} few={few} />;
};
