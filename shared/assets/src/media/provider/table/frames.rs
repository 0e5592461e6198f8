//! Lists providers that are known by the frames of their players alone, one line for each: at least
//! those of video and audio in the public list of oEmbed, and those that its list lacks.

use super::super::UrlForm::{Page, Player};
use super::super::{Provider, UrlPattern};
use super::row;
use crate::media::MediaKind::{self, Audio, Video};

const fn provider(name: &'static str, kind: MediaKind, rows: &'static [UrlPattern]) -> Provider {
    Provider { name, kind, is_id: frame_id, rows, attributes: &[] }
}

/// Returns the pattern of a player whose page is not known from its URL.
const fn frame(at: &'static str) -> UrlPattern {
    row(Player, at, "{address}", "{address}")
}

/// Returns the pattern of a player with its page.
const fn with_page(at: &'static str, page: &'static str) -> UrlPattern {
    row(Player, at, page, "{address}")
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
        ],
        attributes: &[],
    },
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

pub(super) const VIDEO: &[Provider] = &[
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
        &[frame("videos.sproutvideo.com/embed/{id}/{token}"), frame("videos.sproutvideo.com/**")],
    ),
    provider("archive", Video, &[with_page("archive.org/embed/{id}", "https://archive.org/details/{id}")]),
    provider(
        "odysee",
        Video,
        &[frame("odysee.com/$/embed/{channel}/{id}"), frame("odysee.com/$/embed/**"), frame("lbry.tv/$/embed/**")],
    ),
    provider(
        "cloudinary",
        Video,
        &[frame("player.cloudinary.com/embed?public_id={id}"), frame("player.cloudinary.com/**")],
    ),
    provider("api.video", Video, &[frame("embed.api.video/vod/{id}"), frame("embed.api.video/live/{id}")]),
    provider("gumlet", Video, &[frame("play.gumlet.io/embed/{id}"), frame("play.gumlet.io/**")]),
    provider("bitchute", Video, &[with_page("bitchute.com/embed/{id}", "https://www.bitchute.com/video/{id}/")]),
    provider("coub", Video, &[with_page("coub.com/embed/{id}", "https://coub.com/view/{id}")]),
    provider("nfb", Video, &[frame("nfb.ca/film/{id}/embed/player"), frame("onf.ca/film/{id}/embed/player")]),
    provider("dtube", Video, &[frame("emb.d.tube/**"), frame("embed.d.tube/**")]),
    provider("vlive", Video, &[frame("vlive.tv/embed/{id}")]),
    provider("naver", Video, &[frame("tv.naver.com/embed/{id}"), frame("serviceapi.rmcnmv.naver.com/**")]),
    provider("kakao", Video, &[frame("tv.kakao.com/embed/player/cliplink/{id}"), frame("play-tv.kakao.com/embed/**")]),
    provider(
        "sooplive",
        Video,
        &[
            frame("vod.sooplive.co.kr/player/{id}/embed"),
            frame("play.sooplive.co.kr/*/*/embed"),
            frame("vod.afreecatv.com/**"),
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
    provider("vidyard", Video, &[frame("video.vidyard.com/**")]),
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
        &[frame("web.microsoftstream.com/embed/video/{id}"), frame("microsoftstream.com/embed/**")],
    ),
    provider(
        "synthesia",
        Video,
        &[frame("share.synthesia.io/embeds/videos/{id}"), frame("share.synthesia.io/embed/{id}")],
    ),
    provider("heygen", Video, &[frame("app.heygen.com/embeds/{id}"), frame("app.heygen.com/embed/{id}")]),
    provider("veed", Video, &[frame("veed.io/embed/{id}")]),
    provider("descript", Video, &[frame("share.descript.com/embed/{id}")]),
    provider("tella", Video, &[frame("tella.tv/video/{id}/embed"), frame("tella.tv/*/embed")]),
    provider("supercut", Video, &[frame("supercut.video/embed/{id}"), frame("supercut.ai/embed/**")]),
    provider("supademo", Video, &[frame("app.supademo.com/embed/{id}")]),
    provider("livestream", Video, &[frame("livestream.com/accounts/**"), frame("cdn.livestream.com/embed/**")]),
    provider("ibm-video", Video, &[frame("video.ibm.com/embed/**"), frame("ustream.tv/embed/**")]),
    provider("boxcast", Video, &[frame("boxcast.tv/view-embed/{id}"), frame("js.boxcast.com/**")]),
    provider("dacast", Video, &[frame("iframe.dacast.com/**")]),
    provider("restream", Video, &[frame("player.restream.io/**")]),
    provider("kick", Video, &[frame("player.kick.com/{channel}")]),
    provider("trovo", Video, &[frame("player.trovo.live/**")]),
    provider("castr", Video, &[frame("player.castr.com/**"), frame("player.castr.io/**")]),
    provider("vdocipher", Video, &[frame("player.vdocipher.com/**")]),
    provider("pandavideo", Video, &[frame("pandavideo.com.br/embed?v={id}"), frame("pandavideo.com/embed?v={id}")]),
    provider("vturb", Video, &[frame("converteai.net/**")]),
    provider("spotlightr", Video, &[frame("cdn.spotlightr.com/**"), frame("videos.cdn.spotlightr.com/**")]),
    provider("hippovideo", Video, &[frame("hippovideo.io/video/embed/{id}"), frame("hippovideo.io/embed/**")]),
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
    provider("screencast", Video, &[frame("screencast.com/users/**"), frame("app.screencast.com/*/e")]),
    provider("streamio", Video, &[frame("streamio.com/api/v1/videos/{id}/public_show"), frame("s3m.io/**")]),
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
    provider("viostream", Video, &[frame("play.viostream.com/iframe/{id}"), frame("publish.viostream.com/**")]),
    provider(
        "dreambroker",
        Video,
        &[frame("dreambroker.com/channel/{list}/{id}"), frame("dreambroker.com/channel/{list}/iframe/{id}")],
    ),
    provider("quickchannel", Video, &[frame("play.quickchannel.com/**")]),
    provider("mediastream", Video, &[frame("mdstrm.com/embed/{id}"), frame("mdstrm.com/live-stream/{id}")]),
    provider("fireworktv", Video, &[frame("fireworktv.com/embed/{id}/**"), frame("fw.tv/embed/**")]),
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
    provider("sapo", Video, &[frame("rd.videos.sapo.pt/**"), frame("videos.sapo.pt/playhtml")]),
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
    provider("collegehumor", Video, &[frame("collegehumor.com/e/{id}")]),
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
    provider("animoto", Video, &[frame("animoto.com/embed/**"), frame("s.animoto.com/**")]),
    provider("powtoon", Video, &[frame("powtoon.com/embed/{id}")]),
    provider("vyond", Video, &[frame("goanimate.com/player/embed/{id}"), frame("app.vyond.com/player/embed/{id}")]),
    provider("biteable", Video, &[frame("biteable.com/watch/embed/{id}"), frame("app.biteable.com/watch/embed/{id}")]),
    provider("clipchamp", Video, &[frame("clipchamp.com/watch/{id}/embed")]),
    provider("capcut", Video, &[frame("capcut.com/embed/**")]),
    provider("zight", Video, &[frame("share.zight.com/{id}"), frame("share.getcloudapp.com/{id}")]),
    provider("vidlive", Video, &[frame("vidlive.co/embed/**")]),
    provider("x", Video, &[frame("twitter.com/i/videos/{id}"), frame("twitter.com/i/videos/tweet/{id}")]),
];

pub(super) const AUDIO: &[Provider] = &[
    provider("buzzsprout", Audio, &[frame("buzzsprout.com/{channel}/{id}"), frame("buzzsprout.com/**")]),
    provider(
        "podbean",
        Audio,
        &[
            frame("podbean.com/player-v2?i={id}"),
            frame("podbean.com/media/player/**"),
            frame("podbean.com/player-v2/**"),
            frame("podbean.com/e/**"),
        ],
    ),
    provider(
        "libsyn",
        Audio,
        &[
            frame("html5-player.libsyn.com/embed/episode/id/{id}/**"),
            frame("play.libsyn.com/embed/episode/id/{id}/**"),
            frame("html5-player.libsyn.com/**"),
            frame("play.libsyn.com/**"),
            frame("oembed.libsyn.com/**"),
        ],
    ),
    provider(
        "spreaker",
        Audio,
        &[
            frame("widget.spreaker.com/player?episode_id={id}"),
            frame("widget.spreaker.com/player?show_id={list}"),
            frame("spreaker.com/embed/**"),
            frame("widget.spreaker.com/**"),
        ],
    ),
    provider("captivate", Audio, &[frame("player.captivate.fm/episode/{id}"), frame("player.captivate.fm/**")]),
    provider(
        "megaphone",
        Audio,
        &[
            frame("playlist.megaphone.fm/?e={id}"),
            frame("playlist.megaphone.fm/?p={list}"),
            frame("player.megaphone.fm/{id}"),
            frame("megaphone.fm/**"),
        ],
    ),
    provider(
        "acast",
        Audio,
        &[frame("embed.acast.com/{channel}/{id}"), frame("embed.acast.com/**"), frame("player.acast.com/**")],
    ),
    provider(
        "audioboom",
        Audio,
        &[
            frame("embeds.audioboom.com/posts/{id}/**"),
            frame("audioboom.com/posts/{id}/embed/**"),
            frame("embeds.audioboom.com/**"),
            frame("audioboom.com/boos/**"),
        ],
    ),
    provider(
        "omny",
        Audio,
        &[frame("omny.fm/shows/{channel}/{id}/embed"), frame("omny.fm/shows/**"), frame("omnystudio.com/**")],
    ),
    provider("rss.com", Audio, &[frame("player.rss.com/{channel}/{id}"), frame("player.rss.com/**")]),
    provider(
        "anchor",
        Audio,
        &[
            frame("anchor.fm/{channel}/embed/episodes/{id}"),
            frame("anchor.fm/*/embed"),
            frame("anchor.fm/*/embed/**"),
            frame("podcasters.spotify.com/pod/show/*/embed/**"),
            frame("creators.spotify.com/pod/show/*/embed/**"),
        ],
    ),
    provider("ivoox", Audio, &[frame("ivoox.com/player_ej_{id}_{version}.html"), frame("ivoox.com/**")]),
    provider("fireside", Audio, &[frame("player.fireside.fm/v2/{id}"), frame("player.fireside.fm/**")]),
    provider("castbox", Audio, &[frame("castbox.fm/app/castbox/player/**")]),
    provider("castos", Audio, &[frame("castos.com/player/{id}"), frame("castos.com/player/**")]),
    provider("redcircle", Audio, &[frame("redcircle.com/embedded-player/**")]),
    provider("blubrry", Audio, &[frame("player.blubrry.com/**"), frame("blubrry.com/player/**")]),
    provider("pinecast", Audio, &[frame("pinecast.com/player/{id}")]),
    provider("ausha", Audio, &[frame("player.ausha.co/**"), frame("widget.ausha.co/**")]),
    provider("podigee", Audio, &[frame("player.podigee-cdn.net/**"), frame("cdn.podigee.com/podcast-player/**")]),
    provider(
        "art19",
        Audio,
        &[frame("art19.com/shows/{channel}/episodes/{id}/embed"), frame("art19.com/shows/*/embed")],
    ),
    provider("stitcher", Audio, &[frame("stitcher.com/embed/**")]),
    provider("tunein", Audio, &[frame("tunein.com/embed/player/{id}"), frame("tunein.com/embed/**")]),
    provider("iheart", Audio, &[frame("iheart.com/**?embed={embed}")]),
    provider("audiomack", Audio, &[frame("audiomack.com/embed/**")]),
    provider("tidal", Audio, &[frame("embed.tidal.com/**")]),
    provider("amazon-music", Audio, &[frame("music.amazon.com/embed/{id}")]),
    provider("reverbnation", Audio, &[frame("reverbnation.com/widget_code/**")]),
    provider("hearthis", Audio, &[frame("hearthis.at/embed/{id}/**"), frame("app.hearthis.at/embed/{id}/**")]),
    provider("qobuz", Audio, &[frame("widget.qobuz.com/**")]),
    provider("jamendo", Audio, &[frame("widgets.jamendo.com/**"), frame("widget.jamendo.com/**")]),
    provider("beatport", Audio, &[frame("embed.beatport.com/?id={id}"), frame("embed.beatport.com/**")]),
    provider("boomplay", Audio, &[frame("boomplay.com/embed/{id}/**")]),
    provider("yandex-music", Audio, &[frame("music.yandex.ru/iframe/**"), frame("music.yandex.com/iframe/**")]),
    provider("netease", Audio, &[frame("music.163.com/outchain/player?id={id}")]),
    provider("ximalaya", Audio, &[frame("ximalaya.com/thirdparty/player/**")]),
    provider("anghami", Audio, &[frame("widget.anghami.com/**")]),
    provider("gaana", Audio, &[frame("gaana.com/embed/**")]),
    provider("napster", Audio, &[frame("app.napster.com/embed/**")]),
    provider("pandora", Audio, &[frame("pandora.com/embed/**")]),
    provider("clyp", Audio, &[frame("clyp.it/{id}/widget"), frame("clyp.it/**")]),
    provider("audio.com", Audio, &[frame("audio.com/embed/**")]),
    provider("audius", Audio, &[frame("audius.co/embed/**")]),
    provider("songlink", Audio, &[frame("odesli.co/embed"), frame("embed.song.link/**"), frame("song.link/embed")]),
    provider("elevenlabs", Audio, &[frame("elevenlabs.io/player/**")]),
    provider("trinityaudio", Audio, &[frame("trinitymedia.ai/player/**")]),
    provider("beyondwords", Audio, &[frame("audio.beyondwords.io/**")]),
    provider("backtracks", Audio, &[frame("player.backtracks.fm/**")]),
    provider("headliner", Audio, &[frame("embed.headliner.app/**")]),
    provider("radiopublic", Audio, &[frame("embed.radiopublic.com/**")]),
    provider("npr", Audio, &[frame("npr.org/player/embed/**")]),
    provider("wnyc", Audio, &[frame("wnyc.org/widgets/**")]),
    provider("podcast.co", Audio, &[frame("embed.podcast.co/**"), frame("play.pod.co/**"), frame("play.radio.co/**")]),
    provider("zencastr", Audio, &[frame("zencastr.com/embed/**")]),
    provider("hubhopper", Audio, &[frame("hubhopper.com/embed/**")]),
    provider("podomatic", Audio, &[frame("podomatic.com/embed/**")]),
    provider("soundon", Audio, &[frame("player.soundon.fm/embed/**"), frame("player.soundon.fm/**")]),
    provider("firstory", Audio, &[frame("open.firstory.me/embed/**")]),
    provider("insighttimer", Audio, &[frame("widgets.insighttimer.com/**")]),
    provider("saooti", Audio, &[frame("octopus.saooti.com/**"), frame("player.saooti.com/**")]),
    provider("vodio", Audio, &[frame("vodio.fr/**")]),
    provider("mave", Audio, &[frame("player.mave.digital/**"), frame("mave.stream/widget/**")]),
    provider("podster", Audio, &[frame("podster.fm/podcasts/*/e/*/embed/**")]),
    provider("radiofrance", Audio, &[frame("embed.radiofrance.fr/**"), frame("franceculture.fr/player/**")]),
    provider("playht", Audio, &[frame("play.ht/embed/**")]),
    provider("bcast", Audio, &[frame("bcast.fm/e/**")]),
    provider("whooshkaa", Audio, &[frame("player.whooshkaa.com/**"), frame("webplayer.whooshkaa.com/**")]),
    provider("player-fm", Audio, &[frame("playerfm.com/embed/**"), frame("player.fm/embed/**")]),
];
