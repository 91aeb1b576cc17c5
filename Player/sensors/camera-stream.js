// The camera's live image. Browsers ask for permission when it starts, so a tap starts it.

export class CameraUnavailable extends Error {
  /** `reason`: 'denied' or 'missing'. */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Shows the camera behind the device in a video element, and returns a function that stops it. Throws CameraUnavailable. */
export async function showCamera(video) {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraUnavailable('missing');
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false, video: { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
  } catch (error) {
    throw new CameraUnavailable(error.name === 'NotAllowedError' ? 'denied' : 'missing');
  }
  video.srcObject = stream;
  await video.play();
  return () => {
    stream.getTracks().forEach(track => track.stop());
    video.srcObject = null;
  };
}

/** A video's current frame as a JPEG. */
export async function still(video) {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext('2d').drawImage(video, 0, 0);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
}
