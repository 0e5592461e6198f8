//! Lists providers of video that are known by the frames of their players alone, one line for each, and software that
//! sites run themselves.

use super::super::UrlForm::{Page, Player};
use super::super::{Provider, UrlPattern};
use super::row;
use crate::media::MediaKind::{self, Audio, Video};

pub(super) const fn provider(name: &'static str, kind: MediaKind, rows: &'static [UrlPattern]) -> Provider {
    Provider { name, kind, is_id: frame_id, rows, attributes: &[] }
}

/// Returns the pattern of a player whose page is not known from its URL.
pub(super) const fn frame(at: &'static str) -> UrlPattern {
    row(Player, at, "{address}", "{address}")
}

/// Returns the pattern of a player with its page.
const fn with_page(at: &'static str, page: &'static str) -> UrlPattern {
    row(Player, at, page, "{address}")
}

/// Returns the pattern of a page about one video, which some sites show in a frame.
pub(super) const fn page(at: &'static str) -> UrlPattern {
    row(Page, at, "{address}", "")
}

/// Returns true for the IDs of these providers, which are words, numbers, or public names of files.
fn frame_id(id: &str) -> bool {
    let is_part =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'=' | b':' | b'~' | b'@' | b'/');
    !id.is_empty() && id.len() <= 200 && id.bytes().all(is_part)
}

/// Returns true for a UUID or the short form that PeerTube has of it.
fn peertube_id(id: &str) -> bool {
    super::uuid(id) || (id.len() == 22 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Software that sites run themselves: any host.
pub(super) const SELF_HOSTED: &[Provider] = &[
    Provider {
        name: "peertube",
        kind: Video,
        is_id: peertube_id,
        rows: &[
            with_page("*/videos/embed/{id}", "https://{host}/w/{id}"),
            with_page("*/video-playlists/embed/{id}", "https://{host}/w/p/{id}"),
            row(Page, "*/w/{id}", "https://{host}/w/{id}", "https://{host}/videos/embed/{id}"),
            row(Page, "*/videos/watch/{id}", "https://{host}/w/{id}", "https://{host}/videos/embed/{id}"),
        ],
        attributes: &[],
    },
    provider(
        "esup-pod",
        Video,
        &[
            frame("*/video/{id}?is_iframe={flag}"),
            frame("*/video/*/{id}?is_iframe={flag}"),
            page("uapod.univ-antilles.fr/video/{id}"),
            page("umotion-test.univ-lemans.fr/video/{id}"),
            page("pod.univ-lille.fr/video/{id}"),
            page("pod.u-pec.fr/video/{id}"),
            page("mediatheque.univ-paris1.fr/video/{id}"),
        ],
    ),
    provider("mediasite", Video, &[frame("*/Mediasite/Play/{id}"), frame("*/Mediasite/Channel/{list}/**")]),
    provider("panopto", Video, &[frame("*/Panopto/Pages/Embed.aspx?id={id}")]),
    provider(
        "kaltura",
        Video,
        &[frame("*/p/*/sp/*/embedIframeJs/**?entry_id={id}"), frame("*/p/*/embedPlaykitJs/**?entry_id={id}")],
    ),
    provider(
        "castopod",
        Audio,
        &[frame("*/{channel}/episodes/{id}/embed"), frame("*/{channel}/episodes/{id}/embed/*")],
    ),
];

pub(super) const PROVIDERS: &[Provider] = &[
    provider(
        "rutube",
        Video,
        &[
            with_page("rutube.ru/play/embed/{id}", "https://rutube.ru/video/{id}/"),
            with_page("rutube.ru/video/embed/{id}", "https://rutube.ru/video/{id}/"),
            row(Page, "rutube.ru/video/{id}", "https://rutube.ru/video/{id}/", "https://rutube.ru/play/embed/{id}"),
        ],
    ),
    provider(
        "vk",
        Video,
        &[
            with_page("vk.com/video_ext.php?oid={oid}&id={id}", "https://vk.com/video{oid}_{id}"),
            with_page("vkvideo.ru/video_ext.php?oid={oid}&id={id}", "https://vkvideo.ru/video{oid}_{id}"),
        ],
    ),
    provider("ok", Video, &[with_page("ok.ru/videoembed/{id}", "https://ok.ru/video/{id}")]),
    provider("youku", Video, &[with_page("player.youku.com/embed/{id}", "https://v.youku.com/v_show/id_{id}.html")]),
    provider(
        "tencent",
        Video,
        &[
            with_page("v.qq.com/txp/iframe/player.html?vid={id}", "https://v.qq.com/x/page/{id}.html"),
            with_page("v.qq.com/iframe/player.html?vid={id}", "https://v.qq.com/x/page/{id}.html"),
        ],
    ),
    provider("kaltura", Video, &[frame("kaltura.com/p/**?entry_id={id}"), frame("kaltura.com/p/**")]),
    provider(
        "sproutvideo",
        Video,
        &[
            frame("videos.sproutvideo.com/embed/{id}/{token}"),
            frame("videos.sproutvideo.com/**"),
            page("sproutvideo.com/videos/{id}"),
            page("vids.io/videos/{id}"),
            page("vids.io/videos/{id}/*"),
        ],
    ),
    provider("archive", Video, &[with_page("archive.org/embed/{id}", "https://archive.org/details/{id}")]),
    provider(
        "odysee",
        Video,
        &[
            frame("odysee.com/$/embed/{channel}/{id}"),
            frame("odysee.com/$/embed/**"),
            frame("lbry.tv/$/embed/**"),
            page("odysee.com/@{channel}/{id}"),
        ],
    ),
    provider(
        "cloudinary",
        Video,
        &[frame("player.cloudinary.com/embed?public_id={id}"), frame("player.cloudinary.com/**")],
    ),
    provider("api.video", Video, &[frame("embed.api.video/vod/{id}"), frame("embed.api.video/live/{id}")]),
    provider(
        "gumlet",
        Video,
        &[frame("play.gumlet.io/embed/{id}"), frame("play.gumlet.io/**"), page("gumlet.tv/watch/{id}")],
    ),
    provider(
        "bitchute",
        Video,
        &[
            with_page("bitchute.com/embed/{id}", "https://www.bitchute.com/video/{id}/"),
            row(
                Page,
                "bitchute.com/video/{id}",
                "https://www.bitchute.com/video/{id}/",
                "https://www.bitchute.com/embed/{id}/",
            ),
        ],
    ),
    provider(
        "coub",
        Video,
        &[
            with_page("coub.com/embed/{id}", "https://coub.com/view/{id}"),
            row(Page, "coub.com/view/{id}", "https://coub.com/view/{id}", "https://coub.com/embed/{id}"),
        ],
    ),
    provider(
        "nfb",
        Video,
        &[
            frame("nfb.ca/film/{id}/embed/player"),
            frame("onf.ca/film/{id}/embed/player"),
            page("nfb.ca/film/{id}"),
            page("onf.ca/film/{id}"),
        ],
    ),
    provider("dtube", Video, &[frame("emb.d.tube/**"), frame("embed.d.tube/**"), page("d.tube/v/{channel}/{id}")]),
    provider("vlive", Video, &[frame("vlive.tv/embed/{id}"), page("vlive.tv/video/{id}")]),
    provider(
        "naver",
        Video,
        &[
            frame("tv.naver.com/embed/{id}"),
            frame("serviceapi.rmcnmv.naver.com/**"),
            page("tv.naver.com/v/{id}"),
            page("m.naver.com/shorts/{id}"),
        ],
    ),
    provider(
        "kakao",
        Video,
        &[
            frame("tv.kakao.com/embed/player/cliplink/{id}"),
            frame("play-tv.kakao.com/embed/**"),
            page("tv.kakao.com/v/{id}"),
            page("tv.kakao.com/l/{id}"),
            page("tv.kakao.com/channel/v/{id}"),
            page("tv.kakao.com/channel/l/{id}"),
            page("tv.kakao.com/channel/{channel}/cliplink/{id}"),
            page("tv.kakao.com/channel/{channel}/livelink/{id}"),
            frame("tv.kakao.com/m/**"),
        ],
    ),
    provider(
        "sooplive",
        Video,
        &[
            frame("vod.sooplive.co.kr/player/{id}/embed"),
            frame("play.sooplive.co.kr/*/*/embed"),
            frame("vod.afreecatv.com/**"),
            frame("play.afreecatv.com/**"),
            frame("vod.sooplive.com/**"),
            frame("play.sooplive.com/**"),
            frame("v.afree.ca/ST/**"),
        ],
    ),
    provider(
        "niconico",
        Video,
        &[
            with_page("embed.nicovideo.jp/watch/{id}", "https://www.nicovideo.jp/watch/{id}"),
            frame("ext.nicovideo.jp/**"),
        ],
    ),
    provider("douyin", Video, &[frame("open.douyin.com/player/video?vid={id}")]),
    provider("acfun", Video, &[frame("acfun.cn/player/{id}")]),
    provider("sohu", Video, &[frame("tv.sohu.com/s/sohuplayer/iplay.html?vid={id}"), frame("tv.sohu.com/**")]),
    provider("vidyard", Video, &[frame("video.vidyard.com/**"), frame("hubs.vidyard.com/**"), frame("vidyard.com/**")]),
    provider(
        "videopress",
        Video,
        &[
            with_page("videopress.com/embed/{id}", "https://videopress.com/v/{id}"),
            with_page("video.wordpress.com/embed/{id}", "https://videopress.com/v/{id}"),
            row(Page, "videopress.com/v/{id}", "https://videopress.com/v/{id}", "https://videopress.com/embed/{id}"),
        ],
    ),
    provider(
        "microsoft-stream",
        Video,
        &[
            frame("web.microsoftstream.com/embed/video/{id}"),
            frame("microsoftstream.com/embed/**"),
            page("microsoftstream.com/video/{id}"),
            page("microsoftstream.com/channel/{list}"),
        ],
    ),
    provider(
        "synthesia",
        Video,
        &[
            frame("share.synthesia.io/embeds/videos/{id}"),
            frame("share.synthesia.io/embed/{id}"),
            page("share.synthesia.io/{id}"),
        ],
    ),
    provider("heygen", Video, &[frame("app.heygen.com/embeds/{id}"), frame("app.heygen.com/embed/{id}")]),
    provider("veed", Video, &[frame("veed.io/embed/{id}")]),
    provider("descript", Video, &[frame("share.descript.com/embed/{id}")]),
    provider(
        "tella",
        Video,
        &[
            frame("tella.tv/video/{id}/embed"),
            frame("tella.tv/*/embed"),
            page("tella.tv/video/{id}"),
            page("tella.video/{id}"),
        ],
    ),
    provider(
        "supercut",
        Video,
        &[
            frame("supercut.video/embed/{id}"),
            frame("supercut.ai/embed/**"),
            page("supercut.ai/share/{id}"),
            page("supercut.ai/share/{channel}/{id}"),
        ],
    ),
    provider("supademo", Video, &[frame("app.supademo.com/embed/{id}")]),
    provider("livestream", Video, &[frame("livestream.com/accounts/**"), frame("cdn.livestream.com/embed/**")]),
    provider("ibm-video", Video, &[frame("video.ibm.com/embed/**"), frame("ustream.tv/**"), frame("ustream.com/**")]),
    provider("boxcast", Video, &[frame("boxcast.tv/view-embed/{id}"), frame("js.boxcast.com/**")]),
    provider("dacast", Video, &[frame("iframe.dacast.com/**")]),
    provider("restream", Video, &[frame("player.restream.io/**")]),
    provider("kick", Video, &[frame("player.kick.com/{channel}")]),
    provider("trovo", Video, &[frame("player.trovo.live/**")]),
    provider("castr", Video, &[frame("player.castr.com/**"), frame("player.castr.io/**")]),
    provider("vdocipher", Video, &[frame("player.vdocipher.com/**")]),
    provider("pandavideo", Video, &[frame("pandavideo.com.br/embed?v={id}"), frame("pandavideo.com/embed?v={id}")]),
    provider("vturb", Video, &[frame("converteai.net/**")]),
    provider(
        "spotlightr",
        Video,
        &[frame("cdn.spotlightr.com/**"), frame("spotlightr.com/watch/{id}"), frame("spotlightr.com/publish/{id}")],
    ),
    provider("hippovideo", Video, &[frame("hippovideo.io/video/embed/{id}"), frame("hippovideo.io/**")]),
    provider("hihaho", Video, &[frame("player.hihaho.com/{id}"), frame("hihaho.com/embed/{id}")]),
    provider("adilo", Video, &[frame("adilo.bigcommand.com/watch/{id}"), frame("adilo.com/watch/{id}")]),
    provider("vzaar", Video, &[frame("view.vzaar.com/{id}/player")]),
    provider("vooplayer", Video, &[frame("cdn.vooplayer.com/**")]),
    provider(
        "cincopa",
        Video,
        &[frame("cincopa.com/media-platform/iframe.aspx?fid={id}"), frame("rtcdn.cincopa.com/**")],
    ),
    provider("hudl", Video, &[frame("hudl.com/embed/**")]),
    provider(
        "screenpal",
        Video,
        &[frame("go.screenpal.com/player/{id}"), frame("screencast-o-matic.com/embed?sc={id}")],
    ),
    provider(
        "screencast",
        Video,
        &[
            frame("screencast.com/users/**"),
            frame("app.screencast.com/*/e"),
            page("screencast.com/t/{id}"),
            frame("screencast.com/**"),
        ],
    ),
    provider(
        "streamio",
        Video,
        &[frame("streamio.com/api/v1/videos/{id}/public_show"), frame("s3m.io/**"), frame("23m.io/**")],
    ),
    provider("wave.video", Video, &[frame("embed.wave.video/{id}"), frame("watch.wave.video/{id}")]),
    provider("digiteka", Video, &[frame("ultimedia.com/deliver/**"), frame("ultimedia.com/default/**")]),
    provider("viously", Video, &[frame("viously.com/export/**"), frame("viously.com/*/*")]),
    provider("glomex", Video, &[frame("player.glomex.com/**")]),
    provider("movingimage", Video, &[frame("e.video-cdn.net/video?video-id={id}"), frame("e.video-cdn.net/**")]),
    provider("3q", Video, &[frame("playout.3qsdn.com/**"), frame("sdn-global-streaming-cache.3qsdn.com/**")]),
    provider("theplatform", Video, &[frame("player.theplatform.com/p/**")]),
    provider(
        "flowplayer",
        Video,
        &[
            frame("ljsp.lwcdn.com/api/video/embed.jsp?id={id}"),
            frame("ljsp.lwcdn.com/**"),
            frame("play.flowplayer.com/**"),
        ],
    ),
    provider(
        "viostream",
        Video,
        &[frame("play.viostream.com/iframe/{id}"), frame("publish.viostream.com/**"), page("share.viostream.com/{id}")],
    ),
    provider(
        "dreambroker",
        Video,
        &[frame("dreambroker.com/channel/{list}/{id}"), frame("dreambroker.com/channel/{list}/iframe/{id}")],
    ),
    provider("quickchannel", Video, &[frame("play.quickchannel.com/**")]),
    provider("mediastream", Video, &[frame("mdstrm.com/embed/{id}"), frame("mdstrm.com/live-stream/{id}")]),
    provider(
        "fireworktv",
        Video,
        &[frame("fireworktv.com/embed/{id}/**"), frame("fireworktv.com/**"), frame("fw.tv/embed/**")],
    ),
    provider("gloria", Video, &[frame("gloria.tv/embed/frame/media/{id}/**"), frame("gloria.tv/video/{id}/embed")]),
    provider("ina", Video, &[frame("player.ina.fr/player/embed/{id}"), frame("player.ina.fr/embed/{id}")]),
    provider("arte", Video, &[frame("arte.tv/embeds/**"), frame("arte.tv/player/**")]),
    provider(
        "srg",
        Video,
        &[frame("rts.ch/play/embed?urn={id}"), frame("srf.ch/play/embed?urn={id}"), frame("tp.srgssr.ch/p/**")],
    ),
    provider("rtve", Video, &[frame("secure-embed.rtve.es/drmn/embed/video/{id}"), frame("secure-embed.rtve.es/**")]),
    provider("rtp", Video, &[frame("rtp.pt/play/embed/**")]),
    provider(
        "sapo",
        Video,
        &[frame("rd.videos.sapo.pt/**"), frame("videos.sapo.pt/playhtml"), page("videos.sapo.pt/{id}")],
    ),
    provider("svt", Video, &[frame("svt.se/videoplayer-embed/{id}")]),
    provider("nrk", Video, &[frame("nrk.no/embed/{id}")]),
    provider("cnn", Video, &[frame("fave.api.cnn.io/v1/fav?video={id}"), frame("fave.api.cnn.io/**")]),
    provider("nytimes", Video, &[frame("nytimes.com/video/players/**")]),
    provider("wsj", Video, &[frame("video-api.wsj.com/**")]),
    provider("bloomberg", Video, &[frame("bloomberg.com/api/embed/iframe?id={id}")]),
    provider("cnbc", Video, &[frame("player.cnbc.com/**")]),
    provider("espn", Video, &[frame("espn.com/core/video/iframe?id={id}")]),
    provider("imdb", Video, &[frame("imdb.com/video/imdb/{id}/imdb/embed"), frame("imdb.com/videoembed/{id}")]),
    provider("metacafe", Video, &[frame("metacafe.com/embed/{id}")]),
    provider("funnyordie", Video, &[frame("funnyordie.com/embed/{id}")]),
    provider("collegehumor", Video, &[frame("collegehumor.com/e/{id}"), page("collegehumor.com/video/{id}")]),
    provider("viddler", Video, &[frame("viddler.com/embed/{id}"), frame("viddler.com/player/{id}")]),
    provider("veoh", Video, &[frame("veoh.com/embed/{id}")]),
    provider("vine", Video, &[frame("vine.co/v/{id}/embed/*")]),
    provider("gfycat", Video, &[frame("gfycat.com/ifr/{id}")]),
    provider("streamja", Video, &[frame("streamja.com/embed/{id}")]),
    provider("streamff", Video, &[frame("streamff.com/e/{id}")]),
    provider("outplayed", Video, &[frame("outplayed.tv/embed/{id}"), frame("outplayed.tv/media/{id}")]),
    provider("medal", Video, &[frame("medal.tv/clip/{id}"), frame("medal.tv/games/*/clip/{id}")]),
    provider("nebula", Video, &[frame("nebula.tv/videos/{id}"), frame("nebula.app/videos/{id}")]),
    provider("floatplane", Video, &[frame("floatplane.com/embed/**")]),
    provider("cda", Video, &[frame("ebd.cda.pl/*/{id}")]),
    provider(
        "aparat",
        Video,
        &[frame("aparat.com/video/video/embed/videohash/{id}/**"), frame("aparat.com/embed/{id}")],
    ),
    provider("izlesene", Video, &[frame("izlesene.com/embedplayer/{id}"), frame("izlesene.com/embedplayer/**")]),
    provider("sibnet", Video, &[frame("video.sibnet.ru/shell.php?videoid={id}")]),
    provider("mail.ru", Video, &[frame("my.mail.ru/video/embed/{id}"), frame("videoapi.my.mail.ru/videos/embed/**")]),
    provider(
        "smotrim",
        Video,
        &[frame("player.smotrim.ru/iframe/video/id/{id}/**"), frame("player.vgtrk.com/iframe/**")],
    ),
    provider("1tv", Video, &[frame("1tv.ru/embed/{id}")]),
    provider("plvideo", Video, &[frame("plvideo.ru/embed/{id}")]),
    provider("dzen", Video, &[frame("dzen.ru/embed/{id}")]),
    provider(
        "yandex",
        Video,
        &[frame("frontend.vh.yandex.ru/player/{id}"), frame("runtime.video.cloud.yandex.net/player/**")],
    ),
    provider("kinescope", Video, &[frame("kinescope.io/embed/{id}")]),
    provider("boomstream", Video, &[frame("play.boomstream.com/{id}")]),
    provider("globo", Video, &[frame("player.globo.com/**")]),
    provider("uol", Video, &[frame("player.mais.uol.com.br/**")]),
    provider("vidio", Video, &[frame("vidio.com/embed/{id}")]),
    provider("hotstar", Video, &[frame("hotstar.com/embed/**")]),
    provider("streamtape", Video, &[frame("streamtape.com/e/{id}")]),
    provider("vbrick", Video, &[frame("vbrickrev.com/embed?id={id}")]),
    provider("qumu", Video, &[frame("qumucloud.com/view/{id}"), frame("qumucloud.com/**")]),
    provider("yuja", Video, &[frame("yuja.com/V/Video?v={id}"), frame("yuja.com/V/**")]),
    provider("echo360", Video, &[frame("echo360.org/media/{id}/**"), frame("echo360.org.uk/media/{id}/**")]),
    provider("edpuzzle", Video, &[frame("edpuzzle.com/embed/media/{id}")]),
    provider("khan-academy", Video, &[frame("khanacademy.org/embed_video?v={id}")]),
    provider("c-span", Video, &[frame("static.c-span.org/assets/**")]),
    provider("pbs", Video, &[frame("player.pbs.org/**")]),
    provider("magisto", Video, &[frame("magisto.com/embed/{id}")]),
    provider(
        "animoto",
        Video,
        &[frame("animoto.com/embed/**"), frame("s.animoto.com/**"), page("animoto.com/play/{id}")],
    ),
    provider("powtoon", Video, &[frame("powtoon.com/embed/{id}")]),
    provider("vyond", Video, &[frame("goanimate.com/player/embed/{id}"), frame("app.vyond.com/player/embed/{id}")]),
    provider("biteable", Video, &[frame("biteable.com/watch/embed/{id}"), frame("app.biteable.com/watch/embed/{id}")]),
    provider("clipchamp", Video, &[frame("clipchamp.com/watch/{id}/embed")]),
    provider("capcut", Video, &[frame("capcut.com/embed/**")]),
    provider("zight", Video, &[frame("share.zight.com/{id}"), frame("share.getcloudapp.com/{id}")]),
    provider("vidlive", Video, &[frame("vidlive.co/embed/**")]),
    provider("x", Video, &[frame("twitter.com/i/videos/{id}"), frame("twitter.com/i/videos/tweet/{id}")]),
];
