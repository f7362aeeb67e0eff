import { type ComponentType, lazy } from "react";

/** A page whose code comes when somebody asks for it, or before, by what is returned beside it. */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): readonly [page: ComponentType<Props>, begin: () => void] {
  let loading: Promise<{ readonly default: ComponentType<Props> }> | null = null;
  const once = () => {
    loading ??= load().then(
      (page) => ({ default: page }),
      () => {
        // What could not be had beforehand may be had when somebody asks for it.
        loading = null;
        return { default: NotLoaded };
      },
    );
    return loading;
  };
  return [lazy(once), () => void once()];
}

/** The code of a page belongs to one version of the office: after another was started, only a new page can go on. */
function NotLoaded() {
  return (
    <>
      <h1>Not loaded</h1>
      <div role="alert" className="trouble">
        <p>This page could not be loaded: the office does not answer, or it was replaced by another version.</p>
        <button type="button" onClick={() => location.reload()}>
          Load everything again
        </button>
      </div>
    </>
  );
}
