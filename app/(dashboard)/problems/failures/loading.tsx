export { LoadingList as default } from "#components/shell/loading-pages.tsx";
