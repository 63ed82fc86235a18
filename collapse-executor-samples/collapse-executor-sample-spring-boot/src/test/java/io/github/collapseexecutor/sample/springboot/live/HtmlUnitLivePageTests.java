package io.github.collapseexecutor.sample.springboot.live;

/** The page in HtmlUnit, which needs nothing on the machine. */
class HtmlUnitLivePageTests extends LivePageSuite<HtmlUnitBrowser> {

    @Override
    HtmlUnitBrowser newBrowser() {
        return new HtmlUnitBrowser();
    }
}
