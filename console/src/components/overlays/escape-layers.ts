// What Escape closes inside of a dialog before it closes the dialog: lists of completions, tips.

import { createContext, use, useEffect, useRef } from 'react';

/** Returns whether there was something to close. */
export type EscapeLayer = () => boolean;

export interface EscapeLayers {
  add(layer: EscapeLayer): () => void;
  /** Closes the newest layer that is open; returns false if none is. */
  closeNewest(): boolean;
}

export function createEscapeLayers(): EscapeLayers {
  const layers = new Set<EscapeLayer>();
  return {
    add(layer) {
      layers.add(layer);
      return () => void layers.delete(layer);
    },
    closeNewest: () => [...layers].reverse().some((layer) => layer()),
  };
}

/** Of the dialog around; none on a page. */
export const EscapeLayersContext = createContext<EscapeLayers | undefined>(undefined);

export function useEscapeLayer(layer: EscapeLayer): void {
  const layers = use(EscapeLayersContext);
  const latest = useRef(layer);
  useEffect(() => {
    latest.current = layer;
  });
  useEffect(() => layers?.add(() => latest.current()), [layers]);
}
